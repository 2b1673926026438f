package io.elastune.executor.rehearsal;

import io.elastune.core.estimate.Distribution;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How far executed and predicted lie apart in one respect, and how well that is known.
 *
 * @param what the respect
 * @param gap as a fraction; of the predicted value, but for probabilities
 * @param error its standard error: of the executions, and of the prediction's own samples
 * @param limit the most that is allowed
 */
record Gap(String what, double gap, double error, double limit) {
  /** Standard errors by which a gap must keep its limit to be told to. */
  private static final double SURE = 2;

  /** The same to miss it: a thousand gaps are looked at several times each. */
  private static final double VERY_SURE = 4;

  private static final double P95 = 0.95;

  /** Whether the limit is kept beyond reasonable doubt. */
  boolean kept() {
    return gap + SURE * error <= limit;
  }

  /** Whether it is missed beyond reasonable doubt. */
  boolean missed() {
    return gap - VERY_SURE * error > limit;
  }

  /** Of the mean. */
  static Gap ofMean(
      String what, double[] executed, Distribution predicted, int samples, double at) {
    double mean = Arrays.stream(executed).average().orElseThrow();
    double variance =
        Arrays.stream(executed).map(x -> (x - mean) * (x - mean)).sum() / (executed.length - 1);
    double one = Math.sqrt(variance);
    return relative(
        what + " mean", mean, predicted.mean(), error(one, executed.length, samples), at);
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
    int below = (int) rank;
    double p95 =
        sorted[below] + (rank - below) * (sorted[Math.min(n - 1, below + 1)] - sorted[below]);
    double one = (sorted[high] - sorted[low]) / 2 * Math.sqrt(n);
    return relative(what + " p95", p95, predicted.p95(), error(one, n, samples), at);
  }

  /** Of a probability. */
  static Gap ofProbability(
      String what, double executed, double predicted, int n, int samples, double at) {
    double one = Math.sqrt(predicted * (1 - predicted));
    return new Gap(what, Math.abs(executed - predicted), error(one, n, samples), at);
  }

  private static Gap relative(
      String what, double executed, double predicted, double error, double at) {
    return new Gap(what, Math.abs(executed - predicted) / predicted, error / predicted, at);
  }

  /** {@code one}: the standard deviation of a single run. */
  private static double error(double one, int executions, int samples) {
    return one * Math.sqrt(1.0 / executions + 1.0 / samples);
  }

  static double[] of(List<RehearsedRun> runs, ToDoubleFunction<RehearsedRun> figure) {
    return runs.stream().mapToDouble(figure).toArray();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%s %.2f ± %.2f %% of %.0f %%", what, 100 * gap, 100 * error, 100 * limit);
  }
}
