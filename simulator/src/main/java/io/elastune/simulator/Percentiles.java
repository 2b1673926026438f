package io.elastune.simulator;

import io.elastune.core.estimate.Distribution;
import java.util.Arrays;

/**
 * Mean and percentiles of samples. The percentile p is the linearly interpolated order statistic at
 * rank {@code p·(n−1)}, ranks counted from 0 (model.md, "What is optimised").
 */
final class Percentiles {
  private final double[] sorted;

  /** For arrays of {@code samples} values. */
  Percentiles(int samples) {
    sorted = new double[samples];
  }

  /** The distribution of {@code values}, which stay as they are. */
  Distribution of(double[] values) {
    System.arraycopy(values, 0, sorted, 0, values.length);
    Arrays.sort(sorted);
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return new Distribution(sum / values.length, at(0.05), at(0.5), at(0.95));
  }

  private double at(double p) {
    double rank = p * (sorted.length - 1);
    int below = (int) rank;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }
}
