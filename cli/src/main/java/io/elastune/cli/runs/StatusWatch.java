package io.elastune.cli.runs;

import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.executor.journal.RunFolder;

/**
 * Implements {@code elastune status}: shows the state of a run once, or repeatedly until it ends.
 */
public final class StatusWatch {
  private static final long SECOND_MS = 1000;

  private final World world;
  private final Output output;

  public StatusWatch(World world, Output output) {
    this.world = world;
    this.output = output;
  }

  /** Shows the state once. */
  public ExitCode once(String run) {
    RunStatus status = new StatusReader(world).read(new Runs(world).findOrNewest(run));
    screen(status).lines().forEach(output.people()::println);
    output.document(() -> StatusDocument.of(status));
    return ExitCode.DONE;
  }

  /** Shows every change until the run is over; with JSON, one document per line. */
  public ExitCode follow(String run) {
    RunFolder folder = new Runs(world).findOrNewest(run);
    StatusReader reader = new StatusReader(world);
    Live live = new Live(output.people());
    RunStatus status = reader.read(folder);
    show(status, live, true);
    while (!status.standing().over() && Pause.millis(SECOND_MS) && !world.out().checkError()) {
      RunStatus before = status;
      status = reader.read(folder);
      show(status, live, status.movedSince(before));
    }
    return ExitCode.DONE;
  }

  private void show(RunStatus status, Live live, boolean moved) {
    if (Live.isPossible(world)) {
      live.paint(screen(status).lines());
    } else if (moved && status.standing().over()) {
      screen(status).lines().forEach(output.people()::println);
    } else if (moved) {
      output.people().println(screen(status).line());
    }
    if (moved && output.json()) {
      world.out().println(StatusDocument.of(status));
    }
  }

  private StatusScreen screen(RunStatus status) {
    return new StatusScreen(status, world.clock().instant());
  }
}
