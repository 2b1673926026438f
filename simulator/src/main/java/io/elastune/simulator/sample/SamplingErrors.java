package io.elastune.simulator.sample;

import java.util.Arrays;

/** Computes the standard errors of sampled means and percentiles. */
final class SamplingErrors {
  private static final double[] PERCENTILES = {0.05, 0.5, 0.95};

  private SamplingErrors() {}

  /** Returns the standard error of the mean, in the unit of the values; 0 for a single value. */
  static double ofMean(double[] values) {
    int n = values.length;
    if (n == 1) {
      return 0;
    }
    double mean = Arrays.stream(values).sum() / n;
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / (n - 1) / n);
  }

  /**
   * Returns whether the standard errors of the mean and of all displayed percentiles are at most
   * the fraction {@code most} of each. The standard error of a percentile is half the distance
   * between the order statistics one standard deviation of the binomial rank below and above it
   * (David and Nagaraja, Order Statistics, 7.1). This makes no assumption about the distribution.
   */
  static boolean within(double most, double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double mean = Arrays.stream(values).sum() / values.length;
    if (ofMean(values) > most * mean) {
      return false;
    }
    for (double p : PERCENTILES) {
      double deviation = Math.sqrt(p * (1 - p) / values.length);
      double below = Percentiles.ofSorted(sorted, Math.max(0, p - deviation));
      double above = Percentiles.ofSorted(sorted, Math.min(1, p + deviation));
      if ((above - below) / 2 > most * Percentiles.ofSorted(sorted, p)) {
        return false;
      }
    }
    return true;
  }
}
