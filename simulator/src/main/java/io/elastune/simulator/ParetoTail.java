package io.elastune.simulator;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Bounds a quantile far in the tail by a generalized Pareto distribution, which approximates the
 * excesses over a high threshold (Pickands 1975). It is fitted by probability-weighted moments
 * (Hosking and Wallis 1987). The bounds are percentiles of fits to resampled excesses. These
 * percentiles are too close to each other, because few resamples have more extreme excesses than
 * the samples, so the upper one has a higher confidence.
 */
final class ParetoTail {
  /** Part of the samples that exceed the threshold. */
  private static final double EXCEEDING = 0.1;

  private static final int FEWEST_EXCESSES = 50;
  private static final int RESAMPLES = 400;

  /** Number of uniform draws whose sum, less half of it, is nearly standard normal. */
  private static final int UNIFORMS = 12;

  /** The weight of the i-th of k excesses is 1 − (i + 0.65)/k, with i from 0. */
  private static final double PLOTTING_POSITION = 0.65;

  /** The moments exist below this shape. */
  private static final double LARGEST_SHAPE = 0.5;

  /** Part of the probability beyond a bound that remains for the percentile of resamples. */
  private static final double NARROWED = 0.1;

  private static final double PER_53_BITS = 0x1.0p-53;

  private final double[] sorted;
  private final double[] excesses;
  private final double threshold;
  private final RandomGenerator random;

  private ParetoTail(double[] sorted, int count, RandomGenerator random) {
    this.sorted = sorted;
    this.random = random;
    threshold = sorted[sorted.length - count - 1];
    excesses = Arrays.copyOfRange(sorted, sorted.length - count, sorted.length);
    Arrays.setAll(excesses, i -> excesses[i] - threshold);
  }

  /**
   * Returns bounds of the quantile that is exceeded with probability {@code exceeded}: order
   * statistics if enough samples exceed it, otherwise those of the fit.
   *
   * @param sorted independent samples, in ascending order
   * @param confidence the confidence of each bound
   * @param random decides which excesses are resampled
   */
  static TailBound bound(
      double[] sorted, double exceeded, double confidence, RandomGenerator random) {
    TailBound ofSamples = TailBound.of(sorted, exceeded, confidence);
    int count = Math.max(FEWEST_EXCESSES, (int) (EXCEEDING * sorted.length));
    if (count >= sorted.length || exceeded * sorted.length >= count / 2.0) {
      return ofSamples;
    }
    TailBound fitted = new ParetoTail(sorted, count, random).bound(exceeded, confidence);
    // No fit is below what the samples show by themselves.
    return new TailBound(
        Math.max(fitted.upper(), ofSamples.lower()), Math.max(fitted.lower(), ofSamples.lower()));
  }

  private TailBound bound(double exceeded, double confidence) {
    double[] quantiles = new double[RESAMPLES];
    int[] times = new int[excesses.length];
    for (int i = 0; i < RESAMPLES; i++) {
      quantiles[i] = resampled(times, exceeded);
    }
    Arrays.sort(quantiles);
    return new TailBound(
        Percentiles.ofSorted(quantiles, 1 - NARROWED * (1 - confidence)),
        Percentiles.ofSorted(quantiles, 1 - confidence));
  }

  /** Returns the quantile of a fit to as many random excesses as might have been drawn. */
  private double resampled(int[] times, double exceeded) {
    double normal = -UNIFORMS / 2.0;
    for (int i = 0; i < UNIFORMS; i++) {
      normal += fraction();
    }
    double expected = excesses.length;
    int count = (int) Math.round(Math.max(expected / 4, expected + Math.sqrt(expected) * normal));
    Arrays.fill(times, 0);
    for (int i = 0; i < count; i++) {
      times[(int) (fraction() * excesses.length)]++;
    }
    double sum = 0;
    double weighted = 0;
    int rank = 0;
    for (int i = 0; i < times.length; i++) {
      for (int repeat = 0; repeat < times[i]; repeat++) {
        sum += excesses[i];
        weighted += (1 - (rank++ + PLOTTING_POSITION) / count) * excesses[i];
      }
    }
    return quantile(sum / count, weighted / count, exceeded * sorted.length / count);
  }

  /**
   * Returns a quantile of the fit.
   *
   * @param mean mean of the excesses
   * @param weighted their mean, weighted by the part of them that is larger
   * @param beyond the probability that an excess is beyond the quantile
   */
  private double quantile(double mean, double weighted, double beyond) {
    double spread = mean - 2 * weighted;
    if (spread <= 0) {
      return threshold + mean;
    }
    double shape = Math.min(LARGEST_SHAPE, 2 - mean / spread);
    double scale = mean * (1 - shape);
    double log = -Math.log(beyond);
    double excess = shape == 0 ? log : Math.expm1(shape * log) / shape;
    return threshold + scale * excess;
  }

  private double fraction() {
    return (random.nextLong() >>> 11) * PER_53_BITS;
  }
}
