package io.elastune.executor.decision.model;

import java.time.Instant;

/**
 * By how much the mean of the samples of a forecast exceeded the forecast with mean durations, when
 * it was computed last: mean durations lose, for example, the expected maximum at a barrier.
 *
 * @param seconds the excess of the remaining time
 * @param usd the excess of the remaining cost
 * @param ofS the remaining time with mean durations then
 * @param groups groups that had started or ended
 * @param until when it is computed again at the next change
 */
public record ForecastExcess(double seconds, double usd, double ofS, int groups, Instant until) {
  /** No excess, to be computed at the next change. */
  public static final ForecastExcess NONE = new ForecastExcess(0, 0, 0, 0, Instant.MIN);

  /** Returns the fraction of it that is left when so much time remains with mean durations. */
  public double fraction(double remainingS) {
    return remainingS < ofS ? Math.max(0, remainingS) / ofS : 1;
  }

  /** Whether it is computed again now. */
  public boolean isDue(Instant now, int groupsNow) {
    return groupsNow != groups || !now.isBefore(until);
  }
}
