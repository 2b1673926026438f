package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.SignalHandlers;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.FinishedDocument;
import io.elastune.cli.inspect.PollDelay;
import io.elastune.cli.inspect.ReportScreen;
import io.elastune.cli.inspect.RunFinder;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.RunStatus;
import io.elastune.cli.inspect.StatusReader;
import io.elastune.cli.inspect.StatusScreen;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.journal.CannotResumeException;
import io.elastune.executor.journal.JournalFollower;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.runtime.ControllerLock;
import io.elastune.plan.json.PlannedGroup;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@code elastune attach}: shows the progress of a run that another process executes, as
 * {@code run} does, until it ends. It reads only the run's journal.
 */
public final class AttachSession {
  private static final long POLL_MS = 300;

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final boolean stops;
  private final AtomicBoolean detached = new AtomicBoolean();
  private final AtomicReference<@Nullable ProgressReporter> shown = new AtomicReference<>();

  /** Creates a session in which Ctrl-C detaches. */
  public AttachSession(CliEnvironment cliEnvironment, Output output) {
    this(cliEnvironment, output, false);
  }

  private AttachSession(CliEnvironment cliEnvironment, Output output, boolean stops) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.stops = stops;
  }

  /**
   * Creates a session in which Ctrl-C stops the run, as it does for a run in the foreground: for
   * the command that has started the run.
   */
  public static AttachSession ofStarter(CliEnvironment cliEnvironment, Output output) {
    return new AttachSession(cliEnvironment, output, true);
  }

  /**
   * Follows the run with the name or unique prefix {@code name}, or the latest run.
   *
   * @return the exit code of the run; {@code INTERRUPTED} after Ctrl-C, which leaves the run
   *     running; if its controller has died, an internal error or that cleanup is not confirmed
   */
  public ExitCode attach(String name) {
    RunFolder folder = new RunFinder(cliEnvironment).findOrNewest(name);
    StartedRunFile.write(cliEnvironment, folder.run());
    awaitJournal(folder);
    Runnable interruptAsBefore = SignalHandlers.on("INT", onInterrupt(folder));
    try {
      return follow(folder);
    } catch (CannotResumeException e) {
      throw CommandFailure.invalid(
          "RUN",
          folder.run() + " cannot be followed: " + e.getMessage(),
          "see: elastune status " + folder.run() + " --watch");
    } finally {
      interruptAsBefore.run();
    }
  }

  private Runnable onInterrupt(RunFolder folder) {
    Thread current = Thread.currentThread();
    FollowInterrupts interrupts = new FollowInterrupts(cliEnvironment, output, folder);
    return () -> {
      ProgressReporter reporter = shown.get();
      if (stops && reporter != null) {
        interrupts.onInterrupt(reporter);
      } else {
        detached.set(true);
        current.interrupt();
      }
    };
  }

  private static void awaitJournal(RunFolder folder) {
    boolean wait = true;
    while (wait && ControllerLock.isHeld(folder) && !hasJournal(folder)) {
      wait = PollDelay.sleepMillis(POLL_MS);
    }
  }

  private static boolean hasJournal(RunFolder folder) {
    return folder.exists() && !RunReader.isBlank(folder);
  }

  private ExitCode follow(RunFolder folder) {
    if (!hasJournal(folder)) {
      return crashed(folder);
    }
    JournalFollower follower = JournalFollower.open(folder);
    RunRecord record = RunRecord.read(folder);
    String run = folder.run();
    output.jsonLine(() -> started(run, follower.definition()));
    ProgressReporter reporter =
        new ProgressReporter(
            cliEnvironment,
            output,
            follower.definition(),
            record.meta().unit(),
            record.meta().profilingUsd());
    try (reporter) {
      shown.set(reporter);
      reporter.holdHistory();
      boolean alive = ControllerLock.isHeld(folder); // first, since the run may end meanwhile
      RunState state = poll(follower, reporter);
      reporter.showHistory();
      if (alive && state.phase() != RunState.Phase.FINISHED) {
        reporter.printNote("attached to run " + run + "; " + effectOfInterrupt());
      }
      while (alive
          && state.phase() != RunState.Phase.FINISHED
          && PollDelay.sleepMillis(POLL_MS)
          && !cliEnvironment.out().checkError()) {
        alive = ControllerLock.isHeld(folder);
        state = poll(follower, reporter);
        reporter.showTime(state);
      }
      if (alive && state.phase() != RunState.Phase.FINISHED) {
        return detach(reporter, run);
      }
    }
    return end(folder);
  }

  private String effectOfInterrupt() {
    if (!stops) {
      return "Ctrl-C detaches, and the run continues";
    }
    return "it continues if the connection closes; Ctrl-C "
        + (cliEnvironment.terminal() ? "asks whether to stop it" : "stops it");
  }

  private RunState poll(JournalFollower follower, ProgressReporter reporter) {
    return follower.poll(
        (event, before, stepResult) -> show(follower, reporter, event, before, stepResult));
  }

  private void show(
      JournalFollower follower,
      ProgressReporter reporter,
      RunEvent event,
      RunState before,
      StepResult stepResult) {
    if (event instanceof RunEvent.Resumed) {
      reporter.use(follower.definition());
      output.jsonLine(() -> FirstDocument.resumed(follower.definition().run()));
    }
    reporter.onStep(event, before, stepResult);
  }

  private static FirstDocument started(String run, RunDefinition definition) {
    return FirstDocument.started(
        run, PlannedGroup.of(definition.workload(), definition.plan(), definition::offer));
  }

  private ExitCode detach(ProgressReporter reporter, String run) {
    Thread.interrupted();
    reporter.printNote(
        (detached.get() ? "detached by Ctrl-C" : "detached")
            + "; run "
            + run
            + " continues (follow it: elastune attach "
            + run
            + "; stop it: elastune stop "
            + run
            + ")");
    return ExitCode.of(RunOutcome.INTERRUPTED);
  }

  private ExitCode end(RunFolder folder) {
    RunRecord record = RunRecord.read(folder);
    if (!record.finished()) {
      return crashed(folder);
    }
    ReportScreen.finished(record).forEach(output.text()::println);
    output.jsonLine(() -> FinishedDocument.of(record));
    return record.progress().outcome().map(ExitCode::of).orElse(ExitCode.INTERNAL_ERROR);
  }

  private ExitCode crashed(RunFolder folder) {
    StatusReader reader = new StatusReader(cliEnvironment);
    RunStatus status = reader.read(folder);
    new StatusScreen(status, cliEnvironment.clock().instant())
        .lines()
        .forEach(output.text()::println);
    return reader.isCleanedUp(status)
        ? ExitCode.INTERNAL_ERROR
        : ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED);
  }
}
