package io.elastune.planner.model;

import io.elastune.core.billing.Billing;
import io.elastune.core.offer.BillingTerms;

/**
 * Mean billed seconds where the seconds to be billed vary. The bill of the mean is not the mean of
 * the bills: a lease of 59 minutes on average that is billed by the hour mostly costs one hour, and
 * sometimes two.
 */
final class ExpectedBilling {
  /**
   * Standard deviations, in billing increments, from which on the position within an increment no
   * longer matters. An accuracy of the approximation, not tunable.
   */
  private static final double SMOOTH = 0.5;

  /**
   * Standard deviations beyond which it is certain whether a minimum applies. An accuracy of the
   * approximation, not tunable.
   */
  private static final double FAR = 4;

  private ExpectedBilling() {}

  /** Returns mean billed seconds of normally distributed seconds. */
  static double billedS(BillingTerms terms, double meanS, double deviationS) {
    if (deviationS <= 0) {
      return Billing.billedSeconds(terms, meanS);
    }
    double granularityS = terms.granularityS();
    double wholeS = granularityS * granules(meanS / granularityS, deviationS / granularityS);
    double above = (wholeS - terms.minimumS()) / deviationS;
    if (Math.abs(above) >= FAR) {
      return Math.max(wholeS, terms.minimumS());
    }
    return terms.minimumS()
        + deviationS * (above * StandardNormal.probability(above) + StandardNormal.density(above));
  }

  /** Mean of normal draws rounded up to whole numbers. */
  private static double granules(double mean, double deviation) {
    if (deviation >= SMOOTH) {
      return mean + 0.5;
    }
    double near = Math.rint(mean);
    double sum = near - 1;
    for (int border = -1; border <= 1; border++) {
      sum += StandardNormal.probability((mean - near - border) / deviation);
    }
    return Math.max(1, sum);
  }
}
