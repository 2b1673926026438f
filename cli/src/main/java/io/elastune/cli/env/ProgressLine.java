package io.elastune.cli.env;

import io.elastune.core.time.Durations;
import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;

/**
 * Shows the progress and the estimated remaining time of a long task in one line on a terminal. The
 * line is updated in place and removed on close. Tasks of less than a second show nothing. Several
 * threads may report progress. A report of 0 steps begins a task of its own, of which the line then
 * shows the progress.
 */
public final class ProgressLine implements AutoCloseable {
  private static final double MIN_ELAPSED_S = 1;

  private final CliEnvironment cliEnvironment;
  private final LiveLines live;
  private final String text;
  private final Instant start;
  private Instant taskStart;
  private int most;
  private boolean isClosed;

  /**
   * Starts the clock.
   *
   * @param text a format with two numbers, done and total, such as {@code "%,d of %,d samples"}
   */
  public ProgressLine(CliEnvironment cliEnvironment, Output output, String text) {
    this.cliEnvironment = cliEnvironment;
    this.live = new LiveLines(output.text(), cliEnvironment.terminal());
    this.text = text;
    this.start = cliEnvironment.clock().instant();
    this.taskStart = start;
  }

  /** Returns the receiver of a task of {@code total} steps, which counts those that are done. */
  public IntConsumer of(int total) {
    return done -> show(done, total);
  }

  /** Reports that {@code done} of {@code total} steps are done; 0 begins a task. */
  public synchronized void show(int done, int total) {
    Instant now = cliEnvironment.clock().instant();
    if (done == 0) {
      taskStart = now;
      most = 0;
    }
    double tookS = Seconds.between(taskStart, now);
    if (tookS < MIN_ELAPSED_S || done <= most) {
      return;
    }
    most = done;
    String left = Durations.format(Math.ceil(tookS / done * (total - done)));
    live.show(List.of(String.format(Locale.ROOT, text, done, total) + ", " + left + " left"));
  }

  /** Shows how long all has taken, until a task reports its first step. */
  public synchronized void showElapsed(String task) {
    double tookS = Seconds.between(start, cliEnvironment.clock().instant());
    if (tookS >= MIN_ELAPSED_S && most == 0 && !isClosed) {
      live.show(List.of(task + ", " + Durations.format(Math.floor(tookS)) + " so far"));
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    live.show(List.of());
  }
}
