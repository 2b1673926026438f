package io.elastune.simulator.sample;

import io.elastune.core.estimate.Distribution;

/**
 * Computes the mean and percentiles of samples. The percentile p is the linearly interpolated order
 * statistic at rank {@code p·(n−1)}, with ranks from 0 (docs/model.md, "What is optimized").
 */
public final class Percentiles {
  private final double[] values;

  /** Creates a computation for arrays of {@code samples} values. */
  public Percentiles(int samples) {
    values = new double[samples];
  }

  /** Returns the distribution of the first of {@code samples}, which are not modified. */
  public Distribution of(double[] samples) {
    System.arraycopy(samples, 0, values, 0, values.length);
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    // Each selection partitions the array, so the next one searches only its own part.
    int middle = (int) rank(0.5, values.length);
    double p50 = at(0.5, 0, values.length);
    double p5 = at(0.05, 0, middle + 1);
    double p95 = at(0.95, middle, values.length);
    return new Distribution(sum / values.length, p5, p50, p95);
  }

  private double at(double p, int from, int to) {
    double rank = rank(p, values.length);
    int below = (int) rank;
    QuickSelect.select(values, from, to, below);
    double value = values[below];
    if (rank == below || below + 1 == values.length) {
      return value;
    }
    return value + (rank - below) * (QuickSelect.least(values, below + 1, values.length) - value);
  }

  private static double rank(double p, int samples) {
    return p * (samples - 1);
  }

  /** Returns the percentile of values in ascending order. */
  public static double ofSorted(double[] sorted, double p) {
    double rank = rank(p, sorted.length);
    int below = (int) rank;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }
}
