package io.elastune.core.billing;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;

/**
 * What one lease costs, in USD. Totals are not rounded.
 *
 * @param instanceUsd billed seconds × price
 * @param perUseUsd once, if it reached running
 * @param dataInUsd for every lease requested
 * @param diskUsd from running to release, by the exact second
 */
public record LeaseCost(double instanceUsd, double perUseUsd, double dataInUsd, double diskUsd) {
  /**
   * The bill of a lease.
   *
   * @param runningS when it was (or would have been) running; infinite if it never came to that
   * @param releasedS when it was released, on the same clock
   * @param usedS seconds in which at least one trial ran on it; matters under use-only billing
   */
  public static LeaseCost of(Offer offer, double runningS, double releasedS, double usedS) {
    if (!Billing.reachedRunning(runningS, releasedS)) {
      return new LeaseCost(0, 0, offer.dataInUsd(), 0);
    }
    BillingTerms terms = offer.billing();
    double heldS = releasedS - runningS;
    double countedS = terms.per() == BillingTerms.Per.USE ? usedS : heldS;
    return new LeaseCost(
        Billing.billedSeconds(terms, countedS) * offer.usdPerHour() / Billing.SECONDS_PER_HOUR,
        terms.perUseUsd(),
        offer.dataInUsd(),
        heldS * offer.diskUsdPerHour() / Billing.SECONDS_PER_HOUR);
  }

  /** All four together. */
  public double totalUsd() {
    return instanceUsd + perUseUsd + dataInUsd + diskUsd;
  }
}
