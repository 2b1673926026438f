package io.elastune.core.billing;

import io.elastune.core.offer.BillingTerms;

/**
 * Converts held seconds into billed seconds (docs/model.md, "Money"). The methods use plain numbers
 * because the simulator's sampling loop calls them. {@link LeaseCost} computes a whole lease bill.
 */
public final class Billing {
  /** Seconds per hour, to convert hourly prices. */
  public static final double SECONDS_PER_HOUR = 3600;

  /**
   * Fraction of a billing increment that is ignored, so that rounding errors start no new
   * increment.
   */
  private static final double IGNORED_FRACTION = 1e-6;

  private Billing() {}

  /**
   * Returns whether a lease reached running before its release. A lease that did not costs nothing
   * but its data-in.
   */
  public static boolean reachedRunning(double runningS, double releasedS) {
    return releasedS > runningS;
  }

  /**
   * Returns the billed seconds: {@code max(minimum, granularity × ⌈seconds/granularity − 10⁻⁶⌉)}.
   *
   * @param seconds seconds from running to release; with use-only billing, the seconds in which at
   *     least one trial ran, over all groups of the lease
   */
  public static double billedSeconds(BillingTerms terms, double seconds) {
    double granules = Math.ceil(seconds / terms.granularityS() - IGNORED_FRACTION);
    return Math.max(terms.minimumS(), terms.granularityS() * granules);
  }
}
