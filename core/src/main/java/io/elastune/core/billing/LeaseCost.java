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
    if (!Billing.reachedRunning(runningS, releasedS)) {
      return new LeaseCost(0, 0, offer.dataInUsd(), 0);
    }
    double heldS = releasedS - runningS;
    return ofSeconds(
        offer, heldS, Billing.billedSeconds(offer.billing(), counted(offer, heldS, usedS)));
  }

  /**
   * Returns the cost of a lease so far: as {@link #of}, but without billing increments and minimum.
   */
  public static LeaseCost accrued(Offer offer, double runningS, double nowS, double usedS) {
    if (!Billing.reachedRunning(runningS, nowS)) {
      return new LeaseCost(0, 0, offer.dataInUsd(), 0);
    }
    double heldS = nowS - runningS;
    return ofSeconds(offer, heldS, counted(offer, heldS, usedS));
  }

  private static double counted(Offer offer, double heldS, double usedS) {
    return offer.billing().per() == BillingTerms.Per.USE ? usedS : heldS;
  }

  private static LeaseCost ofSeconds(Offer offer, double heldS, double billedS) {
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
