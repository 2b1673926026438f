package io.elastune.executor.decision.model;

import io.elastune.core.time.Seconds;
import java.time.Instant;

/**
 * How far the controller's clock may be ahead of the cloud's. A report that an instance runs has
 * the time of the cloud, and is received after it: the difference bounds the error.
 *
 * @param aheadS the bound in seconds
 */
public record ClockError(double aheadS) {
  /** Seconds by which any clock is assumed to be wrong at most. */
  public static final double MOST_S = 120;

  /** The error before the first report of the cloud. */
  public static final ClockError UNKNOWN = new ClockError(MOST_S);

  /** The time of an event is that of the tick before it, up to this many seconds earlier. */
  private static final double TICK_S = 2;

  /**
   * Returns the error after a report.
   *
   * @param cloud a time by the cloud's clock at or before the report
   * @param received when it was received, by the controller's clock
   */
  public ClockError reported(Instant cloud, Instant received) {
    return new ClockError(Math.min(aheadS, Math.max(0, Seconds.between(cloud, received)) + TICK_S));
  }

  /** Returns the error after the clock may have jumped by {@code seconds}. */
  public ClockError jumped(double seconds) {
    return new ClockError(Math.min(MOST_S, aheadS + seconds));
  }
}
