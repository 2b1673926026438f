package io.elastune.executor.decision.model;

import io.elastune.core.time.Seconds;
import java.time.Instant;

/**
 * How far the controller's clock may be ahead of the cloud's. A report that an instance runs has
 * the time of the cloud, and is received after it: the difference bounds the error.
 *
 * @param aheadS the bound in seconds
 * @param stoodUntil until then the run's time stands still, because the clock of a resumed
 *     controller is behind that of an earlier one
 */
public record ClockError(double aheadS, Instant stoodUntil) {
  /** Seconds by which any clock is assumed to be wrong at most. */
  public static final double MOST_S = 120;

  /** The error before the first report of the cloud. */
  public static final ClockError UNKNOWN = new ClockError(MOST_S, Instant.MIN);

  /** The time of an event is that of the tick before it, up to this many seconds earlier. */
  private static final double TICK_S = 2;

  /**
   * Returns the error of the clock of a resumed controller.
   *
   * @param own its time
   * @param journaled the last time by the clock of the earlier controller
   */
  public static ClockError resumed(Instant own, Instant journaled) {
    return new ClockError(MOST_S, own.isBefore(journaled) ? journaled : Instant.MIN);
  }

  /** Whether the run's time stands still at {@code now}: what it shows of a duration is too low. */
  public boolean isStill(Instant now) {
    return !now.isAfter(stoodUntil);
  }

  /**
   * Returns the error after a report.
   *
   * @param cloud a time by the cloud's clock at or before the report
   * @param received when it was received, by the controller's clock
   */
  public ClockError reported(Instant cloud, Instant received) {
    double mostS = Math.max(0, Seconds.between(cloud, received)) + TICK_S;
    return new ClockError(Math.min(aheadS, mostS), stoodUntil);
  }

  /** Returns the error after the clock may have jumped by {@code seconds}. */
  public ClockError jumped(double seconds) {
    return new ClockError(Math.min(MOST_S, aheadS + seconds), stoodUntil);
  }
}
