package io.elastune.executor.rehearsal;

import io.elastune.core.estimate.Distribution;
import java.util.Arrays;
import java.util.Locale;

/**
 * How far executed and predicted lie apart in one respect, and how well that is known.
 *
 * @param what the respect
 * @param gap as a fraction; of the predicted value, but for probabilities
 * @param error its standard error: of the executions, and of the prediction's own samples
 * @param limit the most that is allowed
 */
record Gap(String what, double gap, double error, double limit) {
  /** Standard errors beyond the limit that are not chance: a thousand gaps are looked at. */
  private static final double VERY_SURE = 4;

  private static final double P95 = 0.95;

  /** Whether the limit is kept, by chance or not. */
  boolean kept() {
    return gap <= limit;
  }

  /** Whether it is missed beyond reasonable doubt. */
  boolean missed() {
    return gap - VERY_SURE * error > limit;
  }

  /** Of the mean. */
  static Gap ofMean(
      String what, double[] executed, Distribution predicted, int samples, double at) {
    double mean = mean(executed);
    double variance =
        Arrays.stream(executed).map(x -> (x - mean) * (x - mean)).sum() / (executed.length - 1);
    double one = Math.sqrt(variance);
    double error = error(one, executed.length, samples);
    return new Gap(what + " mean", relative(mean, predicted.mean()), error / predicted.mean(), at);
  }

  /**
   * Of the p95. Its error is half the distance of the order statistics one standard deviation of
   * the binomial distribution before and behind it, which needs no density: where the p95 lies on
   * the edge of a hump, that distance is wide.
   */
  static Gap ofP95(String what, double[] executed, Distribution predicted, int samples, double at) {
    double[] sorted = executed.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double rank = P95 * (n - 1);
    double spread = Math.sqrt(n * P95 * (1 - P95));
    int low = (int) Math.floor(rank - spread);
    int high = Math.min(n - 1, (int) Math.ceil(rank + spread));
    double one = (sorted[high] - sorted[low]) / 2 * Math.sqrt(n);
    double gap = relative(p95(executed), predicted.p95());
    return new Gap(what + " p95", gap, error(one, n, samples) / predicted.p95(), at);
  }

  /** Of a probability. */
  static Gap ofProbability(
      String what, double executed, double predicted, int n, int samples, double at) {
    double one = Math.sqrt(predicted * (1 - predicted));
    return new Gap(what, Math.abs(executed - predicted), error(one, n, samples), at);
  }

  static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  /** The order statistic, linearly interpolated (model.md). */
  static double p95(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double rank = P95 * (sorted.length - 1);
    int below = (int) rank;
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }

  /** How far two numbers are apart, as a fraction of the second. */
  static double relative(double executed, double predicted) {
    return Math.abs(executed - predicted) / predicted;
  }

  /** {@code one}: the standard deviation of a single run. */
  private static double error(double one, int executions, int samples) {
    return one * Math.sqrt(1.0 / executions + 1.0 / samples);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%s %.2f ± %.2f %% of %.0f %%", what, 100 * gap, 100 * error, 100 * limit);
  }
}
