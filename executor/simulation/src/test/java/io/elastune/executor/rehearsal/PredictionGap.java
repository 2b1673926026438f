package io.elastune.executor.rehearsal;

import io.elastune.core.estimate.Distribution;
import java.util.Arrays;
import java.util.Locale;

/**
 * The difference between an executed and a predicted quantity, with its standard error.
 *
 * @param what the quantity
 * @param gap the absolute difference; as a fraction of the predicted value, except for
 *     probabilities
 * @param error its standard error, from the executions and from the prediction's samples
 * @param limit the largest allowed gap
 */
record PredictionGap(String what, double gap, double error, double limit) {
  /**
   * A gap that exceeds the limit by more standard errors than this is significant. The value is
   * high because a thousand gaps are tested.
   */
  private static final double SIGNIFICANT_ERRORS = 4;

  private static final double P95 = 0.95;

  /** Returns whether the gap is within the limit. */
  boolean isWithinLimit() {
    return gap <= limit;
  }

  /** Returns whether the gap exceeds the limit significantly. */
  boolean exceedsSignificantly() {
    return gap - SIGNIFICANT_ERRORS * error > limit;
  }

  /** Returns the gap of a mean. */
  static PredictionGap ofMean(
      String what, double[] executed, Distribution predicted, int samples, double at) {
    double mean = mean(executed);
    double variance =
        Arrays.stream(executed).map(x -> (x - mean) * (x - mean)).sum() / (executed.length - 1);
    double one = Math.sqrt(variance);
    double error = error(one, executed.length, samples);
    return new PredictionGap(
        what + " mean", relative(mean, predicted.mean()), error / predicted.mean(), at);
  }

  /**
   * Returns the gap of a p95. Its standard error is half the distance between the order statistics
   * one binomial standard deviation below and above it. This needs no density estimate, and is wide
   * where the distribution is.
   */
  static PredictionGap ofP95(
      String what, double[] executed, Distribution predicted, int samples, double at) {
    double[] sorted = executed.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double rank = P95 * (n - 1);
    double spread = Math.sqrt(n * P95 * (1 - P95));
    int low = (int) Math.floor(rank - spread);
    int high = Math.min(n - 1, (int) Math.ceil(rank + spread));
    double one = (sorted[high] - sorted[low]) / 2 * Math.sqrt(n);
    double gap = relative(p95(executed), predicted.p95());
    return new PredictionGap(what + " p95", gap, error(one, n, samples) / predicted.p95(), at);
  }

  /** Returns the gap of a probability. */
  static PredictionGap ofProbability(
      String what, double executed, double predicted, int n, int samples, double at) {
    double one = Math.sqrt(predicted * (1 - predicted));
    return new PredictionGap(what, Math.abs(executed - predicted), error(one, n, samples), at);
  }

  static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  /** Returns the linearly interpolated order statistic (docs/model.md). */
  static double p95(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double rank = P95 * (sorted.length - 1);
    int below = (int) rank;
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }

  /** Returns the difference of two numbers as a fraction of the second. */
  static double relative(double executed, double predicted) {
    return Math.abs(executed - predicted) / predicted;
  }

  /**
   * Returns the standard error of a difference; {@code one} is the standard deviation of a single
   * run.
   */
  private static double error(double one, int executions, int samples) {
    return one * Math.sqrt(1.0 / executions + 1.0 / samples);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%s %.2f ± %.2f %% of %.0f %%", what, 100 * gap, 100 * error, 100 * limit);
  }
}
