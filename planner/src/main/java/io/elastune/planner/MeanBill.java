package io.elastune.planner;

import io.elastune.core.billing.Billing;
import io.elastune.core.offer.BillingTerms;

/**
 * Billed seconds in the mean, where the seconds that are billed vary from draw to draw. The bill
 * for the mean is not the mean of the bills: a lease of 59 minutes that is billed by the hour
 * mostly costs one hour, and now and then two.
 */
final class MeanBill {
  /** From so many granules of deviation on it no longer matters where in its granule a bill is. */
  private static final double SMOOTH = 0.5;

  /** Deviations beyond which a minimum is sure to count, or not to. */
  private static final double FAR = 4;

  private MeanBill() {}

  /** Mean billed seconds of normal ones. */
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
        + deviationS * (above * Normal.probability(above) + Normal.density(above));
  }

  /** Mean of the least whole numbers not below normal draws. */
  private static double granules(double mean, double deviation) {
    if (deviation >= SMOOTH) {
      return mean + 0.5;
    }
    double near = Math.rint(mean);
    double sum = near - 1;
    for (int border = -1; border <= 1; border++) {
      sum += Normal.probability((mean - near - border) / deviation);
    }
    return Math.max(1, sum);
  }
}
