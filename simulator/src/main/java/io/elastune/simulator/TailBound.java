package io.elastune.simulator;

/**
 * Bounds a quantile in the tail of a distribution by order statistics of its samples, whatever the
 * distribution. Of {@code n} independent samples, the number beyond the quantile that is exceeded
 * with probability {@code p} is Poisson with mean {@code n·p}, for small {@code p}.
 *
 * @param upper a value that is at least the quantile with the confidence
 * @param lower a value that is at most the quantile with the confidence
 */
record TailBound(double upper, double lower) {
  /**
   * Returns the bounds.
   *
   * @param sorted independent samples, in ascending order
   * @param exceeded the probability with which the quantile is exceeded
   * @param confidence the confidence of each bound
   */
  static TailBound of(double[] sorted, double exceeded, double confidence) {
    double mean = sorted.length * exceeded;
    return new TailBound(
        beyond(sorted, below(mean, 1 - confidence)), beyond(sorted, below(mean, confidence) + 1));
  }

  /** Returns the largest number that a Poisson count stays within with at most a probability. */
  private static int below(double mean, double probability) {
    double term = Math.exp(-mean);
    double within = term;
    int count = 0;
    while (within <= probability) {
      count++;
      term *= mean / count;
      within += term;
    }
    return count - 1;
  }

  /** Returns the value that {@code count} samples exceed; the highest one if that is negative. */
  private static double beyond(double[] sorted, int count) {
    int index = sorted.length - 1 - Math.max(0, count);
    return sorted[Math.max(0, index)];
  }

  /** Returns the difference of the bounds as a part of the upper one. */
  double relativeWidth() {
    return upper == 0 ? 0 : (upper - lower) / upper;
  }
}
