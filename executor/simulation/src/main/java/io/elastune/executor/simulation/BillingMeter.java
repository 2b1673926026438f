package io.elastune.executor.simulation;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;

/**
 * Computes what the simulated cloud charges. The ledger is checked against it, so it must not share
 * code with the ledger.
 */
public final class BillingMeter {
  private static final double NANOS_PER_HOUR = 3600e9;
  private static final double NANOS_PER_S = 1e9;

  private BillingMeter() {}

  /**
   * Returns the cost of an instance of {@code offer} that is released as soon as it runs, in USD.
   *
   * @param releaseS seconds that the release takes
   */
  public static double leastUsd(Offer offer, double releaseS) {
    BillingTerms terms = offer.billing();
    double granules = Math.max(1, Math.ceil(releaseS / terms.granularityS() - 1e-6));
    double billedS = Math.max(terms.minimumS(), granules * terms.granularityS());
    return billedS * NANOS_PER_S / NANOS_PER_HOUR * offer.usdPerHour()
        + terms.perUseUsd()
        + offer.dataInUsd();
  }

  /**
   * Returns the cost of {@code simulatedInstance} until {@code until}, or until its end if that is
   * earlier, in USD.
   */
  static double usd(SimulatedInstance simulatedInstance, long until) {
    Offer offer = simulatedInstance.offer();
    long end = Math.min(until, simulatedInstance.endedAt);
    if (simulatedInstance.runningAt == SimulatedInstance.NEVER
        || end <= simulatedInstance.runningAt) {
      return offer.dataInUsd();
    }
    long held = end - simulatedInstance.runningAt;
    boolean byUse = offer.billing().per() == BillingTerms.Per.USE;
    return usd(offer, held, byUse ? simulatedInstance.usedUntil(end) : held);
  }

  /**
   * Returns the cost at {@code now} of a use that has ended, and whose end the controller cannot
   * know, in USD.
   */
  static double unknownUseUsd(SimulatedInstance simulatedInstance, long now) {
    long end = Math.min(now, simulatedInstance.endedAt);
    long unknown = simulatedInstance.unreportedIdle(end);
    if (unknown <= 0 || simulatedInstance.offer().billing().per() == BillingTerms.Per.INSTANCE) {
      return 0;
    }
    long used = simulatedInstance.usedUntil(end);
    return usd(simulatedInstance.offer(), 0, used + unknown)
        - usd(simulatedInstance.offer(), 0, used);
  }

  /**
   * Returns the cost of a use in progress, or about to begin, that may have begun earlier by {@code
   * seconds}, in USD.
   */
  static double unknownBeginUsd(SimulatedInstance simulatedInstance, double seconds) {
    Offer offer = simulatedInstance.offer();
    boolean byUse = offer.billing().per() == BillingTerms.Per.USE;
    return byUse && simulatedInstance.isAlive()
        ? seconds * NANOS_PER_S / NANOS_PER_HOUR * offer.usdPerHour()
        : 0;
  }

  private static double usd(Offer offer, long held, long counted) {
    BillingTerms terms = offer.billing();
    double granule = terms.granularityS() * NANOS_PER_S;
    double granules = Math.ceil(counted / granule - 1e-6);
    double billed = Math.max(terms.minimumS() * NANOS_PER_S, granules * granule);
    return billed / NANOS_PER_HOUR * offer.usdPerHour()
        + held / NANOS_PER_HOUR * offer.diskUsdPerHour()
        + terms.perUseUsd()
        + offer.dataInUsd();
  }
}
