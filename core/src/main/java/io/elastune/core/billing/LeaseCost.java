package io.elastune.core.billing;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;

/**
 * The cost of one lease in USD, by component. Totals are not rounded.
 *
 * @param instanceUsd billed seconds × price
 * @param perUseUsd per-use charge, if the lease reached running
 * @param dataInUsd data-in charge of every lease requested
 * @param diskUsd disk charge from running to release, for the exact time
 */
public record LeaseCost(double instanceUsd, double perUseUsd, double dataInUsd, double diskUsd) {
  /**
   * Returns the cost of a lease.
   *
   * @param runningS when the instance was, or would have been, running; infinite if it never
   *     reached running
   * @param releasedS when the lease was released, on the same clock
   * @param usedS seconds in which at least one trial ran on the instance; relevant for use-only
   *     billing
   */
  public static LeaseCost of(Offer offer, double runningS, double releasedS, double usedS) {
    return until(offer, runningS, releasedS, usedS, true);
  }

  /**
   * Returns the cost of a lease so far: as {@link #of}, but without billing increments and minimum.
   */
  public static LeaseCost accrued(Offer offer, double runningS, double nowS, double usedS) {
    return until(offer, runningS, nowS, usedS, false);
  }

  private static LeaseCost until(
      Offer offer, double runningS, double endS, double usedS, boolean isReleased) {
    if (!Billing.reachedRunning(runningS, endS)) {
      return new LeaseCost(0, 0, offer.dataInUsd(), 0);
    }
    double heldS = endS - runningS;
    double countedS = offer.billing().per() == BillingTerms.Per.USE ? usedS : heldS;
    double billedS = isReleased ? Billing.billedSeconds(offer.billing(), countedS) : countedS;
    return new LeaseCost(
        billedS * offer.usdPerHour() / Billing.SECONDS_PER_HOUR,
        offer.billing().perUseUsd(),
        offer.dataInUsd(),
        heldS * offer.diskUsdPerHour() / Billing.SECONDS_PER_HOUR);
  }

  /** Returns the sum of the four components. */
  public double totalUsd() {
    return instanceUsd + perUseUsd + dataInUsd + diskUsd;
  }
}
