package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.runtime.ControllerLock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Determines the state of runs from their journals, their controllers' locks and, if necessary, the
 * cloud.
 */
public final class StatusReader {
  private final CliEnvironment cliEnvironment;

  public StatusReader(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  /**
   * Returns the state of the run in {@code folder}. The run's own controller must not call it: see
   * {@link FinishedDocument}.
   *
   * @throws CommandFailure if its journal cannot be read
   */
  public RunStatus read(RunFolder folder) {
    RunStatus status = readLocally(folder);
    return status.standing() == RunStateLabel.CRASHED
        ? status.record().map(this::counted).orElse(status)
        : status;
  }

  /** Returns the state from this machine's files alone, without a cloud request. */
  RunStatus readLocally(RunFolder folder) {
    boolean alive =
        ControllerLock.isHeld(folder); // First, since the run may finish during the read.
    return record(folder, alive)
        .map(run -> status(run, standing(run, alive), OptionalInt.empty()))
        .orElseGet(() -> notStarted(folder, alive));
  }

  /** Returns whether the journal or the cloud confirms that no instance of an ended run is left. */
  public boolean isCleanedUp(RunStatus status) {
    return status
        .record()
        .map(run -> status.counted() || run.openLeases() == 0 ? status : counted(run))
        .map(known -> known.instances() == 0 && (known.counted() || !isCrashed(known)))
        .orElse(true);
  }

  private static boolean isCrashed(RunStatus status) {
    return status.standing() == RunStateLabel.CRASHED;
  }

  /** Returns the contents of the journal; empty if the run has not started. */
  private Optional<RunRecord> record(RunFolder folder, boolean alive) {
    if (!folder.exists()) {
      return Optional.empty();
    }
    try {
      return RunReader.isBlank(folder) ? Optional.empty() : Optional.of(RunRecord.read(folder));
    } catch (JournalException | IllegalArgumentException | IndexOutOfBoundsException e) {
      if (alive) {
        return Optional.empty(); // The journal is being created.
      }
      String message = Objects.toString(e.getMessage(), "this is not the journal of a run");
      throw CommandFailure.usage(
          ErrorDetail.inFile(
              cliEnvironment.displayPath(folder.journal()),
              0,
              "",
              message,
              "the journal may be damaged"));
    }
  }

  /** Returns the state of a finished run from its journal only. */
  static RunStatus finished(RunRecord run) {
    return status(run, standing(run, true), OptionalInt.empty());
  }

  private static RunStatus notStarted(RunFolder folder, boolean alive) {
    RunStateLabel runStateLabel = alive ? RunStateLabel.PLANNING : RunStateLabel.CRASHED;
    return new RunStatus(
        folder.run(),
        runStateLabel,
        "",
        RunStatus.Trials.NONE,
        0,
        false,
        0,
        0,
        OptionalDouble.empty(),
        OptionalInt.empty(),
        Optional.empty());
  }

  private static RunStateLabel standing(RunRecord run, boolean alive) {
    if (run.finished()) {
      return wasStopped(run) ? RunStateLabel.STOPPED : RunStateLabel.FINISHED;
    }
    if (!alive) {
      return RunStateLabel.CRASHED;
    }
    if (run.progress().began().isEmpty()) {
      return RunStateLabel.PLANNING;
    }
    return run.progress().phase() == RunState.Phase.RUNNING
        ? RunStateLabel.RUNNING
        : RunStateLabel.STOPPING;
  }

  /** Checks the decisions too, since an unconfirmed cleanup overrides the exit code. */
  private static boolean wasStopped(RunRecord run) {
    return run.progress().outcome().filter(RunOutcome::isStopped).isPresent()
        || sinceResumed(run.decisions()).stream()
            .filter(decisionRow -> decisionRow.kind() == DecisionKind.STOP)
            .map(decisionRow -> decisionRow.numbers().getOrDefault("exit", 0.0).intValue())
            .map(RunOutcome::ofExitCode)
            .anyMatch(outcome -> outcome == RunOutcome.DEADLINE_MISSED || outcome.isStopped());
  }

  /** A stop that the run was resumed after is over. */
  private static List<DecisionRow> sinceResumed(List<DecisionRow> decisionRows) {
    int from = 0;
    for (int i = 0; i < decisionRows.size(); i++) {
      from = decisionRows.get(i).kind() == DecisionKind.RESUME ? i : from;
    }
    return decisionRows.subList(from, decisionRows.size());
  }

  /** How a run without a controller stands, by its cloud's own word. */
  private RunStatus counted(RunRecord run) {
    return status(
        run, standing(run, false), new InstanceCounter(cliEnvironment.cloudContext()).count(run));
  }

  private static RunStatus status(RunRecord run, RunStateLabel runStateLabel, OptionalInt counted) {
    boolean ended =
        runStateLabel == RunStateLabel.FINISHED || runStateLabel == RunStateLabel.STOPPED;
    return new RunStatus(
        run.run(),
        runStateLabel,
        ended ? "" : groups(run),
        RunStatus.Trials.of(run),
        counted.orElse(run.openLeases()),
        counted.isPresent(),
        run.costUsd(),
        run.progress().forecastUsd() + run.meta().profilingUsd(),
        margin(run, runStateLabel),
        run.finished() ? run.progress().exitCode() : OptionalInt.empty(),
        Optional.of(run));
  }

  private static String groups(RunRecord run) {
    List<GroupRow> groupRows = run.groups();
    return groupRows.stream()
        .filter(groupRow -> groupRow.started().isPresent() && groupRow.ended().isEmpty())
        .map(GroupRow::name)
        .collect(Collectors.joining(","));
  }

  private static OptionalDouble margin(RunRecord run, RunStateLabel runStateLabel) {
    OptionalDouble deadline = run.deadlineS();
    if (deadline.isEmpty()) {
      return OptionalDouble.empty();
    }
    OptionalDouble took = run.completionS();
    if (took.isEmpty() && runStateLabel == RunStateLabel.RUNNING) {
      double elapsed = Seconds.between(run.progress().began().orElseThrow(), run.progress().at());
      took = OptionalDouble.of(elapsed + run.progress().remainingS());
    }
    return took.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(deadline.getAsDouble() - took.getAsDouble());
  }
}
