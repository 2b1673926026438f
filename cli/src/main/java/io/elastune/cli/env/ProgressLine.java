package io.elastune.cli.env;

import io.elastune.core.time.Durations;
import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;

/**
 * Shows the progress and the estimated remaining time of a long task. On a terminal, it is one line
 * that is updated in place and removed on close; tasks of less than a second show nothing.
 * Otherwise, a line is printed to standard error after 2 seconds, and then more and more rarely.
 * Several threads may report progress. A report of 0 steps, or of other steps than before, begins a
 * phase, of which the line then shows the progress.
 */
public final class ProgressLine implements AutoCloseable {
  private static final double MIN_ELAPSED_S = 1;

  /** How long a phase takes before its remaining time is estimated, unless it is short. */
  private static final double MIN_PHASE_S = 0.2;

  /** The remaining time of a short phase, which is estimated at once. */
  private static final double SHORT_S = 1;

  /** When the first line is printed without a terminal. */
  private static final double FIRST_PRINTED_S = 2;

  /** The most seconds between two printed lines; each takes twice as long as the one before. */
  private static final double MOST_SILENT_S = 60;

  private final CliEnvironment cliEnvironment;
  private final LiveLines live;
  private final String text;
  private final Instant start;
  private Instant phaseStart;
  private Instant lastStep;
  private String unit = "";
  private int most;
  private double printedAtS = FIRST_PRINTED_S / 2;
  private boolean isClosed;

  /**
   * Starts the clock.
   *
   * @param text a format with two numbers, done and total, and optionally what they count, such as
   *     {@code "%,d of %,d samples"}
   */
  public ProgressLine(CliEnvironment cliEnvironment, Output output, String text) {
    this.cliEnvironment = cliEnvironment;
    this.live = new LiveLines(output.text(), cliEnvironment.terminal());
    this.text = text;
    this.start = cliEnvironment.clock().instant();
    this.phaseStart = start;
    this.lastStep = start;
  }

  /** Returns the receiver of a task of {@code total} steps, which counts those that are done. */
  public IntConsumer of(int total) {
    return done -> show(done, total);
  }

  /** Reports that {@code done} of {@code total} steps are done; 0 begins a phase. */
  public void show(int done, int total) {
    show("", done, total);
  }

  /**
   * Reports that {@code done} of {@code total} steps are done.
   *
   * @param counted what is counted; something else begins a phase
   */
  public synchronized void show(String counted, int done, int total) {
    Instant now = cliEnvironment.clock().instant();
    if (done == 0 || !counted.equals(unit)) {
      unit = counted;
      phaseStart = now;
      most = 0;
    }
    if (done > 0) {
      lastStep = now;
    }
    double tookS = Seconds.between(phaseStart, now);
    double leftS = done == 0 ? Double.MAX_VALUE : tookS / done * (total - done);
    boolean isShort = tookS > 0 && leftS > 0 && leftS <= SHORT_S;
    boolean known = tookS >= MIN_PHASE_S || isShort;
    if (!known || Seconds.between(start, now) < MIN_ELAPSED_S || done <= most) {
      return;
    }
    most = done;
    String left = Durations.format(Math.ceil(leftS));
    show(now, String.format(Locale.ROOT, text, done, total, counted) + ", " + left + " left");
  }

  /**
   * Shows how long all has taken, until a phase reports its first step. Between short phases, the
   * next report shows more.
   */
  public synchronized void showElapsed(String task) {
    Instant now = cliEnvironment.clock().instant();
    double tookS = Seconds.between(start, now);
    boolean silent = Seconds.between(lastStep, now) >= MIN_ELAPSED_S;
    if (tookS >= MIN_ELAPSED_S && silent && most == 0) {
      show(now, task + ", " + Durations.format(Math.floor(tookS)) + " so far");
    }
  }

  private void show(Instant now, String line) {
    if (isClosed) {
      return;
    }
    double tookS = Seconds.between(start, now);
    if (cliEnvironment.terminal()) {
      live.show(List.of(line));
    } else if (tookS >= Math.min(2 * printedAtS, printedAtS + MOST_SILENT_S)) {
      printedAtS = tookS;
      cliEnvironment.err().println(line);
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    live.show(List.of());
  }
}
