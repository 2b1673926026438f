package io.elastune.planner.quality;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Computes statistics of the values of one quantity. */
final class Statistics {
  private final double[] sorted;

  private Statistics(double[] sorted) {
    this.sorted = sorted;
  }

  static Statistics of(DoubleStream values) {
    return new Statistics(values.sorted().toArray());
  }

  int count() {
    return sorted.length;
  }

  double mean() {
    return Arrays.stream(sorted).average().orElse(Double.NaN);
  }

  double max() {
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length - 1];
  }

  double min() {
    return sorted.length == 0 ? Double.NaN : sorted[0];
  }

  /** Returns the smallest value that a fraction {@code share} of all does not exceed. */
  double quantile(double share) {
    int at = (int) Math.ceil(share * sorted.length) - 1;
    return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, at)];
  }

  /** Returns the fraction of values that are at least {@code least}. */
  double share(double least) {
    return (double) Arrays.stream(sorted).filter(value -> value >= least).count() / sorted.length;
  }

  /** Formats a fraction as a percentage with two decimals; values near 0 have no sign. */
  static String percent(double fraction) {
    return Double.isFinite(fraction)
        ? String.format(Locale.ROOT, "%.2f %%", Math.abs(fraction) < 5e-5 ? 0 : 100 * fraction)
        : "–";
  }

  static String factor(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f×", value) : "–";
  }
}
