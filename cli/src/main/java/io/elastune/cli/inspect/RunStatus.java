package io.elastune.cli.inspect;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.text.Plural;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.DecisionRow;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The state of a run at one moment.
 *
 * @param groups names of the running groups, separated by commas; empty for none
 * @param trials number of trials in each state
 * @param instances instances whose termination is not confirmed; for a crashed run those that the
 *     cloud lists
 * @param counted whether {@code instances} was reported by the cloud
 * @param spentUsd cost so far in USD, including profiling
 * @param forecastUsd forecast of the total cost in USD, including profiling
 * @param deadlineMarginS seconds left before the deadline; negative when late
 * @param exit the exit code, once finished
 * @param record the contents of the journal; empty before it exists
 */
public record RunStatus(
    String run,
    RunStateLabel standing,
    String groups,
    Trials trials,
    int instances,
    boolean counted,
    double spentUsd,
    double forecastUsd,
    OptionalDouble deadlineMarginS,
    OptionalInt exit,
    Optional<RunRecord> record) {

  /**
   * Number of trials in each state; trials that are not yet proposed count as waiting until the
   * search has ended. Those that have never begun then do not count.
   *
   * @param endedEarly number of trials of any state that ended early
   */
  public record Trials(
      long running, long waiting, long completed, long stopped, long failed, long endedEarly) {
    static final Trials NONE = new Trials(0, 0, 0, 0, 0, 0);

    static Trials of(RunRecord run) {
      long running = run.count(TrialState.Status.RUNNING);
      long completed = run.count(TrialState.Status.COMPLETED);
      long stopped = run.count(TrialState.Status.STOPPED);
      long failed = run.count(TrialState.Status.FAILED);
      long begun = run.trials().size();
      long all = run.completed().isPresent() ? begun : Math.max(run.plannedTrials(), begun);
      return new Trials(
          running,
          all - running - completed - stopped - failed,
          completed,
          stopped,
          failed,
          run.endedEarly());
    }

    /** Returns e.g. {@code 2 of 8 trials failed}; empty if none failed. */
    Optional<String> failures() {
      long all = running + waiting + completed + stopped + failed;
      return failed == 0
          ? Optional.empty()
          : Optional.of(failed + " of " + Plural.counted(all, "trial") + " failed");
    }

    @Override
    public String toString() {
      return running
          + " running, "
          + waiting
          + " waiting, "
          + completed
          + " completed, "
          + stopped
          + " stopped, "
          + failed
          + " failed"
          + (endedEarly == 0 ? "" : "; " + endedEarly + " ended early");
    }
  }

  /** Returns how the run ended; completed while it has not ended. */
  RunOutcome outcome() {
    return RunOutcome.ofExitCode(exit.orElse(0));
  }

  /**
   * Returns the contents of the journal.
   *
   * @throws CommandFailure if the run has not started
   */
  public RunRecord requireRecord() {
    return record.orElseThrow(
        () ->
            CommandFailure.invalid(
                "RUN",
                run + " has not started: it is " + standing.label(),
                "see elastune status " + run));
  }

  private List<DecisionRow> impairments() {
    return record.stream()
        .flatMap(run -> CloudHealth.of(run).present().stream())
        .map(CloudHealth.Impaired::row)
        .toList();
  }

  /** Returns whether {@code other} differs in more than time and cost. */
  boolean hasChangedSince(RunStatus other) {
    return standing != other.standing
        || instances != other.instances
        || !groups.equals(other.groups)
        || !trials.equals(other.trials)
        || !impairments().equals(other.impairments())
        || !exit.equals(other.exit);
  }
}
