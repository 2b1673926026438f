package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.LiveLines;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;
import io.elastune.executor.journal.RunFolder;
import java.util.Optional;
import java.util.function.Function;

/**
 * Implements {@code elastune status}: shows the state of a run once, or repeatedly until it ends.
 */
public final class StatusWatch {
  private static final long SECOND_MS = 1000;

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final Function<String, Optional<RunSchedule>> schedules;

  /**
   * Creates the command.
   *
   * @param schedules returns the document of the schedule that started a run, if there is one
   */
  public StatusWatch(
      CliEnvironment cliEnvironment,
      Output output,
      Function<String, Optional<RunSchedule>> schedules) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.schedules = schedules;
  }

  /** Shows the state once. */
  public ExitCode once(String run) {
    RunStatus status =
        new StatusReader(cliEnvironment).read(new RunFinder(cliEnvironment).findOrNewest(run));
    screen(status).lines().forEach(output.text()::println);
    output.jsonDocument(() -> document(status));
    return ExitCode.DONE;
  }

  /** Shows every change until the run is over; with JSON, one document per line. */
  public ExitCode follow(String run) {
    RunFolder folder = new RunFinder(cliEnvironment).findOrNewest(run);
    StatusReader reader = new StatusReader(cliEnvironment);
    LiveLines live = new LiveLines(output.text(), cliEnvironment.canRepaint());
    RunStatus status = reader.read(folder);
    show(status, live, true);
    while (!status.standing().isOver()
        && PollDelay.sleepMillis(SECOND_MS)
        && !cliEnvironment.out().checkError()) {
      RunStatus before = status;
      status = reader.read(folder);
      show(status, live, status.hasChangedSince(before));
    }
    return ExitCode.DONE;
  }

  private void show(RunStatus status, LiveLines live, boolean moved) {
    if (cliEnvironment.canRepaint()) {
      live.show(screen(status).lines());
    } else if (moved && status.standing().isOver()) {
      screen(status).lines().forEach(output.text()::println);
    } else if (moved) {
      output.text().println(screen(status).line());
    }
    if (moved) {
      output.jsonLine(() -> document(status));
    }
  }

  private StatusDocument document(RunStatus status) {
    return StatusDocument.of(
        status, cliEnvironment.clock().instant(), schedules.apply(status.run()));
  }

  private StatusScreen screen(RunStatus status) {
    return new StatusScreen(status, cliEnvironment.clock().instant());
  }
}
