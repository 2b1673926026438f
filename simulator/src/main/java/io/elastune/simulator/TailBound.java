package io.elastune.simulator;

import io.elastune.core.Preconditions;
import org.apache.commons.statistics.distribution.PoissonDistribution;

/**
 * Bounds a quantile in the tail of a distribution by order statistics of its samples, whatever the
 * distribution. Of {@code n} independent samples, the number beyond a value that is exceeded with
 * probability {@code p} is binomial. Bounds from the Poisson distribution with the same mean {@code
 * n·p} have at least the stated confidence, because its tails are heavier (Anderson and Samuels,
 * "Some inequalities among binomial and Poisson probabilities", 1967).
 *
 * @param upper a value that is at least the quantile with the confidence
 * @param lower a value that is at most the quantile with the confidence
 */
record TailBound(double upper, double lower) {
  /**
   * Returns the fewest samples of which one has at least the confidence to be beyond the quantile:
   * with fewer, no sample is an upper bound.
   *
   * @param exceeded the probability with which the quantile is exceeded
   */
  static int fewest(double exceeded, double confidence) {
    return (int) Math.ceil(-Math.log(1 - confidence) / exceeded);
  }

  /**
   * Returns the bounds.
   *
   * @param sorted independent samples in ascending order, at least {@link #fewest}
   * @param exceeded the probability with which the quantile is exceeded
   * @param confidence the confidence of each bound, more than half
   */
  static TailBound of(double[] sorted, double exceeded, double confidence) {
    Preconditions.atLeast("samples", fewest(exceeded, confidence), sorted.length);
    double mean = sorted.length * exceeded;
    return new TailBound(
        beyond(sorted, below(mean, 1 - confidence)), beyond(sorted, below(mean, confidence) + 1));
  }

  /** Returns the largest number that a Poisson count stays within with at most a probability. */
  private static int below(double mean, double probability) {
    return PoissonDistribution.of(mean).inverseCumulativeProbability(probability) - 1;
  }

  /** Returns the value that {@code count} samples exceed; the lowest one if there are fewer. */
  private static double beyond(double[] sorted, int count) {
    return sorted[Math.max(0, sorted.length - 1 - count)];
  }
}
