package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.SignalHandlers;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.runtime.RunController;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stops a run on Ctrl-C, a request to terminate, or a closed terminal. */
final class StopRequests {
  private final CliEnvironment cliEnvironment;
  private final TerminalPrompt terminal;
  private final AtomicInteger interrupts = new AtomicInteger();
  private final AtomicReference<@Nullable RunOutcome> requested = new AtomicReference<>();

  StopRequests(CliEnvironment cliEnvironment, TerminalPrompt terminal) {
    this.cliEnvironment = cliEnvironment;
    this.terminal = terminal;
  }

  /**
   * Handles the signals of this process from now on.
   *
   * @param background whether the run continues without a terminal
   * @return restores the earlier handlers
   */
  Runnable handleSignals(
      RunController controller, ProgressReporter progressReporter, boolean background) {
    Runnable interruptAsBefore =
        SignalHandlers.on("INT", () -> interrupted(controller, progressReporter));
    Runnable terminateAsBefore =
        SignalHandlers.on(
            "TERM", () -> stop(controller, RunOutcome.TERMINATED, false, "a request to terminate"));
    Runnable hangUpAsBefore =
        SignalHandlers.on(
            "HUP",
            () -> {
              if (!background) {
                stop(controller, RunOutcome.TERMINATED, false, "a closed terminal");
              }
            });
    return () -> {
      hangUpAsBefore.run();
      interruptAsBefore.run();
      terminateAsBefore.run();
    };
  }

  /** Returns the outcome of the first request, even if it came too late for the run. */
  Optional<RunOutcome> requested() {
    return Optional.ofNullable(requested.get());
  }

  private void stop(RunController controller, RunOutcome outcome, boolean now, String by) {
    requested.compareAndSet(null, outcome);
    controller.stop(outcome, now, by);
  }

  /**
   * Handles Ctrl-C. The first one prompts if a terminal is attached; the second one stops without
   * waiting for checkpoints.
   */
  private void interrupted(RunController controller, ProgressReporter progressReporter) {
    boolean again = interrupts.getAndIncrement() > 0;
    if (again || !cliEnvironment.terminal() || wantsToStop(progressReporter)) {
      stop(controller, RunOutcome.INTERRUPTED, again, "Ctrl-C");
    }
  }

  private boolean wantsToStop(ProgressReporter progressReporter) {
    boolean stop = wantsToStop(terminal, progressReporter);
    if (!stop) {
      interrupts.set(0);
    }
    return stop;
  }

  /** Asks the user whether to stop the run. */
  static boolean wantsToStop(TerminalPrompt terminal, ProgressReporter progressReporter) {
    String answer =
        terminal.promptDuringRun(
            progressReporter,
            "Stop this run? Type 'stop' to write checkpoints and release everything; anything else"
                + " continues the run; Ctrl-C again stops immediately:");
    return answer.equals("stop") || answer.equals("yes");
  }
}
