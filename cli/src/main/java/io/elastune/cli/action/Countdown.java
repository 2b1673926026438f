package io.elastune.cli.action;

import io.elastune.cli.run.LiveLines;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.core.time.Durations;
import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;

/**
 * Shows on a terminal how far a long piece of work is and about when it ends: one line, painted
 * again and again, that goes when it is closed. Nothing for work that is done within a second. May
 * be told of progress by several threads.
 */
final class Countdown implements IntConsumer, AutoCloseable {
  private static final double WORTH_SHOWING_S = 1;

  private final World world;
  private final LiveLines live;
  private final String text;
  private final int total;
  private final Instant start;
  private int most;

  /**
   * Begins now.
   *
   * @param text what is done, with a place for how much is and one for how much there is, such as
   *     {@code "played %,d of %,d samples"}
   * @param total how much there is to do
   */
  Countdown(World world, Output output, String text, int total) {
    this.world = world;
    this.live = new LiveLines(output.people(), world.terminal());
    this.text = text;
    this.total = total;
    this.start = world.clock().instant();
  }

  /** Tells that {@code done} of all is done. */
  @Override
  public synchronized void accept(int done) {
    double tookS = Seconds.between(start, world.clock().instant());
    if (tookS < WORTH_SHOWING_S || done <= most) {
      return;
    }
    most = done;
    String left = Durations.format(Math.ceil(tookS / done * (total - done)));
    live.show(List.of(String.format(Locale.ROOT, text, done, total) + ", " + left + " left"));
  }

  @Override
  public void close() {
    live.show(List.of());
  }
}
