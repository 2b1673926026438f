package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.executor.journal.ControllerRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.runtime.ControllerLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives Ctrl-C the same effect on a run in the background as on one in the foreground: the first
 * one asks whether to stop the run if a terminal is attached, and otherwise stops it; the second
 * one stops it without waiting for checkpoints. It forwards the signal to the controller.
 */
final class FollowInterrupts {
  private final CliEnvironment cliEnvironment;
  private final TerminalPrompt terminal;
  private final RunFolder folder;
  private final AtomicInteger interrupts = new AtomicInteger();

  FollowInterrupts(CliEnvironment cliEnvironment, Output output, RunFolder folder) {
    this.cliEnvironment = cliEnvironment;
    this.terminal = new TerminalPrompt(cliEnvironment, output);
    this.folder = folder;
  }

  /** Handles one Ctrl-C. */
  void onInterrupt(ProgressReporter progressReporter) {
    boolean again = interrupts.getAndIncrement() > 0;
    if (again || !cliEnvironment.terminal()) {
      forward();
    } else if (StopRequests.wantsToStop(terminal, progressReporter)) {
      forward();
    } else {
      interrupts.compareAndSet(1, 0);
    }
  }

  /** The controller has no terminal: its first interrupt stops the run without a prompt. */
  private void forward() {
    if (!ControllerLock.isHeld(folder)) {
      return; // the run has ended
    }
    List<ControllerRow> controllers;
    try (RunReader reader = RunReader.open(folder)) {
      controllers = reader.controllers();
    }
    long pid = controllers.get(controllers.size() - 1).pid();
    try {
      Process process =
          new ProcessBuilder("sh", "-c", "kill -s INT \"$1\"", "kill", Long.toString(pid)).start();
      process.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot send a signal to the controller " + pid, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
