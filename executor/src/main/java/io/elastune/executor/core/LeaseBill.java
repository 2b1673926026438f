package io.elastune.executor.core;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;

/** The dollars of one lease. */
final class LeaseBill {
  private LeaseBill() {}

  static double usd(Offer offer, double seconds, double usedS, boolean byTheSecond) {
    BillingTerms terms = offer.billing();
    double billable = terms.per() == BillingTerms.Per.USE ? usedS : seconds;
    if (seconds <= 0) {
      return offer.dataInUsd();
    }
    double granules = Math.ceil(billable / terms.granularityS() - 1e-6);
    double billed =
        byTheSecond ? billable : Math.max(terms.minimumS(), terms.granularityS() * granules);
    return offer.dataInUsd()
        + terms.perUseUsd()
        + (billed * offer.usdPerHour() + seconds * offer.diskUsdPerHour()) / 3600;
  }
}
