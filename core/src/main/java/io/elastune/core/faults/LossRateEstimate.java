package io.elastune.core.faults;

/**
 * Estimates the rate of losses per instance and hour from a stated rate and observed losses: the
 * mean after Poisson counts, where the prior is a mixture of two gamma distributions
 * (docs/reliability.md, "Learned rates").
 *
 * <p>Most places lose instances at about the stated rate. In a few, capacity is short, and the rate
 * is about one per hour. Both contribute to the stated rate, which is the mean of the mixture.
 * After a few losses within hours, the second part outweighs the first; a single gamma distribution
 * would need as many hours as the stated rate has on average between two losses.
 */
final class LossRateEstimate {
  /** The weight of a stated rate: it counts as much as this number of observed cases. */
  private static final double PRIOR_CASES = 0.5;

  /** The part of the stated rate that is due to places where capacity is short. */
  private static final double SHORTAGE_SHARE = 0.2;

  /** The mean rate per hour in these places; the prior there is exponential. */
  private static final double SHORTAGE_PER_HOUR = 1;

  private static final double SHORTAGE_CASES = 1;

  private LossRateEstimate() {}

  /**
   * Returns the rate per hour after {@code cases} in {@code hours}.
   *
   * @param prior the stated rate per hour, above 0
   */
  static double of(double prior, int cases, double hours) {
    if (prior >= SHORTAGE_PER_HOUR) {
      return mean(PRIOR_CASES, PRIOR_CASES / prior, cases, hours);
    }
    double shortage = SHORTAGE_SHARE * prior / SHORTAGE_PER_HOUR;
    double usual = (1 - SHORTAGE_SHARE) * prior / (1 - shortage);
    double logOdds =
        Math.log(shortage)
            + logLikelihood(SHORTAGE_CASES, SHORTAGE_CASES / SHORTAGE_PER_HOUR, cases, hours)
            - Math.log1p(-shortage)
            - logLikelihood(PRIOR_CASES, PRIOR_CASES / usual, cases, hours);
    double isShort = 1 / (1 + Math.exp(-logOdds));
    return isShort * mean(SHORTAGE_CASES, SHORTAGE_CASES / SHORTAGE_PER_HOUR, cases, hours)
        + (1 - isShort) * mean(PRIOR_CASES, PRIOR_CASES / usual, cases, hours);
  }

  /**
   * Returns the probability after {@code cases} of {@code trials}, with a beta prior that counts as
   * much as half an observed case.
   *
   * @param prior the stated probability, above 0
   */
  static double share(double prior, int cases, int trials) {
    return (PRIOR_CASES + cases) / (PRIOR_CASES / prior + trials);
  }

  private static double mean(double shape, double rateHours, int cases, double hours) {
    return (shape + cases) / (rateHours + hours);
  }

  /**
   * The logarithm of the negative binomial probability, without the factor that both parts have.
   */
  private static double logLikelihood(double shape, double rateHours, int cases, double hours) {
    double log = shape * Math.log(rateHours / (rateHours + hours));
    for (int one = 0; one < cases; one++) {
      log += Math.log((shape + one) / (rateHours + hours));
    }
    return log;
  }
}
