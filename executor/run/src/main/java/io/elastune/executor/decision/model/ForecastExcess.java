package io.elastune.executor.decision.model;

import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.Optional;

/**
 * By how much the mean of the samples of a forecast exceeded the forecast with mean durations, when
 * it was computed last: mean durations lose, for example, the expected maximum at a barrier.
 *
 * @param seconds the excess of the remaining time
 * @param usd the excess of the remaining cost
 * @param ofS the remaining time with mean durations then
 * @param groups groups that had started or ended
 * @param until when it is computed again at the next change
 * @param means where a policy divides the instances: the last forecast with mean durations
 */
public record ForecastExcess(
    double seconds, double usd, double ofS, int groups, Instant until, Optional<Means> means) {
  /** No excess, to be computed at the next change. */
  public static final ForecastExcess NONE = new ForecastExcess(0, 0, 0, 0, Instant.MIN);

  /** Creates the excess over forecasts with means that are played at each event. */
  public ForecastExcess(double seconds, double usd, double ofS, int groups, Instant until) {
    this(seconds, usd, ofS, groups, until, Optional.empty());
  }

  /**
   * A forecast with mean durations that costs too much for each event.
   *
   * @param at when it was played
   * @param seconds the remaining time then
   * @param held the instances that were held
   * @param until when it is played again at the next change
   */
  public record Means(Instant at, double seconds, int held, Instant until) {
    /** Whether it is played again now. */
    public boolean isDue(Instant now, int heldNow) {
      return heldNow != held || !now.isBefore(until);
    }

    /** Returns the time that remains now by this forecast. */
    public double remainingS(Instant now) {
      return Math.max(0, seconds - Seconds.between(at, now));
    }
  }

  /** Returns the same excess over another forecast with means. */
  public ForecastExcess with(Means played) {
    return new ForecastExcess(seconds, usd, ofS, groups, until, Optional.of(played));
  }

  /** Returns the fraction of it that is left when so much time remains with mean durations. */
  public double fraction(double remainingS) {
    return remainingS < ofS ? Math.max(0, remainingS) / ofS : 1;
  }

  /** Whether it is computed again now. */
  public boolean isDue(Instant now, int groupsNow) {
    return groupsNow != groups || !now.isBefore(until);
  }
}
