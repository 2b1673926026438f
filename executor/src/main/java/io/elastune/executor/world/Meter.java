package io.elastune.executor.world;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;

/**
 * What the simulated cloud charges, by its own arithmetic: it is what the ledger is checked
 * against, so it must not share its code.
 */
public final class Meter {
  private static final double NANOS_PER_HOUR = 3600e9;
  private static final double NANOS_PER_S = 1e9;

  private Meter() {}

  /** Dollars of an instance of {@code offer} that is let go as soon as it runs. */
  public static double leastUsd(Offer offer) {
    BillingTerms terms = offer.billing();
    double billedS = Math.max(terms.minimumS(), terms.granularityS());
    return billedS * NANOS_PER_S / NANOS_PER_HOUR * offer.usdPerHour()
        + terms.perUseUsd()
        + offer.dataInUsd();
  }

  /** Dollars of {@code instance} if it were let go at {@code until}, or when it ended before. */
  static double usd(Instance instance, long until) {
    Offer offer = instance.offer();
    long end = Math.min(until, instance.endedAt);
    if (instance.runningAt == Instance.NEVER || end <= instance.runningAt) {
      return offer.dataInUsd();
    }
    long held = end - instance.runningAt;
    BillingTerms terms = offer.billing();
    long counted = terms.per() == BillingTerms.Per.USE ? instance.usedUntil(end) : held;
    double granule = terms.granularityS() * NANOS_PER_S;
    double granules = Math.ceil(counted / granule - 1e-6);
    double billed = Math.max(terms.minimumS() * NANOS_PER_S, granules * granule);
    return billed / NANOS_PER_HOUR * offer.usdPerHour()
        + held / NANOS_PER_HOUR * offer.diskUsdPerHour()
        + terms.perUseUsd()
        + offer.dataInUsd();
  }
}
