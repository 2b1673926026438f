package io.elastune.core.billing;

import io.elastune.core.offer.BillingTerms;

/**
 * How rented seconds become billed seconds (model.md, "Money"). On plain numbers, for the sampling
 * loop; {@link LeaseCost} puts a whole bill together.
 */
public final class Billing {
  /** Seconds that {@code usd_per_hour} is divided by. */
  public static final double SECONDS_PER_HOUR = 3600;

  /** The part of a granule that is let off, so that rounding errors do not start a new one. */
  private static final double LET_OFF = 1e-6;

  private Billing() {}

  /**
   * Whether a lease costs anything but its data-in: it is free while pending, so one released at or
   * before the moment it would have been running is free.
   */
  public static boolean reachedRunning(double runningS, double releasedS) {
    return releasedS > runningS;
  }

  /**
   * {@code max(minimum, granularity × ⌈seconds/granularity − 10⁻⁶⌉)}.
   *
   * @param seconds from running to release; under use-only billing the seconds in which at least
   *     one trial ran, all groups of the lease together
   */
  public static double billedSeconds(BillingTerms terms, double seconds) {
    double granules = Math.ceil(seconds / terms.granularityS() - LET_OFF);
    return Math.max(terms.minimumS(), terms.granularityS() * granules);
  }
}
