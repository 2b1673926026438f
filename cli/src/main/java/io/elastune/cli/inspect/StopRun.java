package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.LiveLines;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.journal.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Implements {@code elastune stop}: requests a run's controller, in another process, to stop. */
public final class StopRun {
  private static final long POLL_MS = 300;

  /** Number of polls for instances of a crashed run, which shut themselves down. */
  private static final int POLLS_AFTER_CRASH = 100;

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final StatusReader reader;

  public StopRun(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.reader = new StatusReader(cliEnvironment);
  }

  /**
   * Stops the run.
   *
   * @param wait whether to wait until it is over
   * @return done if no instance is left, otherwise that cleanup is not confirmed
   */
  public ExitCode stop(String name, boolean wait) {
    RunFolder folder = new RunFinder(cliEnvironment).find(name);
    RunStatus status = reader.read(folder);
    boolean wasOver = status.standing().isOver();
    if (!wasOver) {
      write(folder);
      status = wait ? wait(folder, status) : status;
    }
    if (status.standing().isOver()) {
      withdraw(folder);
    }
    status =
        status.standing() == RunStateLabel.CRASHED && wait ? waitForCloud(folder, status) : status;
    RunStatus last = status;
    lines(last, wasOver).forEach(output.text()::println);
    output.jsonDocument(() -> StatusDocument.of(last, cliEnvironment.clock().instant()));
    return exit(last);
  }

  /** Writes the stop request atomically. */
  private void write(RunFolder folder) {
    try {
      Path temporary = Files.createTempFile(folder.path(), "stop", ".tmp");
      Files.writeString(temporary, "elastune stop, " + cliEnvironment.clock().instant() + "\n");
      Files.move(
          temporary,
          folder.stopRequest(),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Deletes the stop request: no controller reads it any more, and it must not stop a resumed run.
   */
  private static void withdraw(RunFolder folder) {
    try {
      Files.deleteIfExists(folder.stopRequest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunStatus wait(RunFolder folder, RunStatus first) {
    output.text().println("Stop requested for " + folder.run() + "; its trials write checkpoints.");
    LiveLines live = new LiveLines(output.text(), cliEnvironment.canRepaint());
    RunStatus status = first;
    show(status, live, true);
    while (!status.standing().isOver() && PollDelay.sleepMillis(POLL_MS)) {
      RunStatus before = status;
      status = reader.read(folder);
      show(status, live, status.hasChangedSince(before));
    }
    return status;
  }

  private void show(RunStatus status, LiveLines live, boolean moved) {
    String line = new StatusScreen(status, cliEnvironment.clock().instant()).line();
    if (cliEnvironment.canRepaint()) {
      live.show(List.of(line));
    } else if (moved) {
      output.text().println(line);
    }
  }

  private RunStatus waitForCloud(RunFolder folder, RunStatus first) {
    RunStatus status = first;
    for (int i = 0; i < POLLS_AFTER_CRASH && left(status) && PollDelay.sleepMillis(POLL_MS); i++) {
      status = reader.read(folder);
    }
    return status;
  }

  private static boolean left(RunStatus status) {
    return status.counted() && status.instances() > 0;
  }

  private List<String> lines(RunStatus status, boolean wasOver) {
    StatusScreen screen = new StatusScreen(status, cliEnvironment.clock().instant());
    if (!status.standing().isOver()) {
      return List.of(
          "Stop requested for " + status.run() + ".",
          "see: elastune status " + status.run() + " --watch");
    }
    if (status.standing() == RunStateLabel.CRASHED) {
      return screen.lines();
    }
    String already = wasOver ? "had already ended: " : "has ended: ";
    return List.of(
        status.run() + " " + already + screen.state(), "see: elastune report " + status.run());
  }

  /** An unconfirmed cleanup is not a success: the user must check. */
  private ExitCode exit(RunStatus status) {
    boolean unconfirmed = status.outcome() == RunOutcome.CLEANUP_UNCONFIRMED;
    boolean unsure = status.standing() == RunStateLabel.CRASHED && !reader.isCleanedUp(status);
    return unconfirmed || unsure ? ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED) : ExitCode.DONE;
  }
}
