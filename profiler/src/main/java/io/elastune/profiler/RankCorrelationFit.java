package io.elastune.profiler;

import io.elastune.core.profile.RankCorrelation;
import io.elastune.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Measures how well the results of trials in one rung predict those in the next one
 * (docs/searches.md, "Prediction"). Only the best trials reach the next rung, which lowers the rank
 * correlation among them. So the fit seeks the correlation of all trials with which the expected
 * rank correlation of those that were selected is the observed one.
 */
final class RankCorrelationFit {
  /** The fewest trials with results in two rungs that are a measurement. */
  static final int LEAST_TRIALS = 30;

  private static final int REPETITIONS = 200;
  private static final int STEPS = 25;
  private static final double STEP = 0.05; // for the slope at the estimate
  private static final double OFFSET = 0.375; // of the ranks, for normal scores (Blom)

  /** The results of the trials that reached two consecutive rungs. */
  private static final class Pair {
    /** Their normal scores among all results of the lower rung. */
    final double[] scores;

    /** Their results in the upper rung. */
    final double[] upper;

    Pair(double[] scores, double[] upper) {
      this.scores = scores;
      this.upper = upper;
    }
  }

  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  private RankCorrelationFit() {}

  /**
   * Returns the correlation; empty if no two consecutive rungs have results of enough trials.
   *
   * @param results by rung, the result of each trial that reached it
   */
  static Optional<RankCorrelation> of(List<Map<Integer, Double>> results) {
    List<RankCorrelation> pairs = new ArrayList<>();
    for (int rung = 0; rung + 1 < results.size(); rung++) {
      Pair pair = pair(results.get(rung), results.get(rung + 1));
      if (pair.scores.length >= LEAST_TRIALS) {
        pairs.add(fit(pair, RandomStreams.of(rung).at("rank")));
      }
    }
    return combined(pairs);
  }

  /** Returns the mean of several correlations by the trials of each. */
  static Optional<RankCorrelation> combined(List<RankCorrelation> all) {
    int trials = all.stream().mapToInt(RankCorrelation::trials).sum();
    if (trials == 0) {
      return Optional.empty();
    }
    double value = 0;
    double variance = 0;
    for (RankCorrelation one : all) {
      double share = (double) one.trials() / trials;
      value += share * one.value();
      variance += share * share * one.standardError() * one.standardError();
    }
    return Optional.of(
        new RankCorrelation(Math.min(1, value), Math.min(1, Math.sqrt(variance)), trials));
  }

  private static Pair pair(Map<Integer, Double> lower, Map<Integer, Double> upper) {
    List<Integer> ranked =
        lower.keySet().stream()
            .sorted(Comparator.comparing((Integer trial) -> lower.get(trial)).thenComparing(t -> t))
            .toList();
    double[] scores = new double[ranked.size()];
    double[] results = new double[ranked.size()];
    int both = 0;
    for (int i = 0; i < ranked.size(); i++) {
      Double result = upper.get(ranked.get(i));
      if (result != null) {
        double share = (i + 1 - OFFSET) / (ranked.size() + 1 - 2 * OFFSET);
        scores[both] = NORMAL.inverseCumulativeProbability(share);
        results[both++] = result;
      }
    }
    return new Pair(Arrays.copyOf(scores, both), Arrays.copyOf(results, both));
  }

  private static RankCorrelation fit(Pair pair, RandomStreams streams) {
    double[][] noise = noise(pair.scores.length, streams.open());
    double observed = spearman(pair.scores, pair.upper);
    double low = 0;
    double high = 1;
    for (int step = 0; step < STEPS; step++) {
      double middle = (low + high) / 2;
      if (mean(expected(pair.scores, noise, middle)) < observed) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double value = (low + high) / 2;
    return new RankCorrelation(value, standardError(pair.scores, noise, value), pair.scores.length);
  }

  private static double[][] noise(int trials, RandomGenerator random) {
    double[][] noise = new double[REPETITIONS][trials];
    for (double[] repetition : noise) {
      Arrays.setAll(
          repetition,
          i -> NORMAL.inverseCumulativeProbability(((random.nextLong() >>> 11) + 0.5) * 0x1p-53));
    }
    return noise;
  }

  /** The spread of the observed rank correlation, divided by how fast it rises with the value. */
  private static double standardError(double[] scores, double[][] noise, double value) {
    double[] repeated = expected(scores, noise, value);
    double mean = mean(repeated);
    double squares = Arrays.stream(repeated).map(one -> (one - mean) * (one - mean)).sum();
    double deviation = Math.sqrt(squares / (repeated.length - 1));
    double below = Math.max(0, value - STEP);
    double above = Math.min(1, value + STEP);
    double rise =
        (mean(expected(scores, noise, above)) - mean(expected(scores, noise, below)))
            / (above - below);
    return rise > 0 ? Math.min(1, deviation / rise) : 1;
  }

  /** Rank correlations of the selected trials in repeated runs with a given correlation of all. */
  private static double[] expected(double[] scores, double[][] noise, double value) {
    double own = Math.sqrt(1 - value * value);
    double[] correlations = new double[noise.length];
    for (int i = 0; i < noise.length; i++) {
      double[] upper = new double[scores.length];
      for (int trial = 0; trial < upper.length; trial++) {
        upper[trial] = value * scores[trial] + own * noise[i][trial];
      }
      correlations[i] = spearman(scores, upper);
    }
    return correlations;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  /**
   * Returns Spearman's rank correlation.
   *
   * @param ascending values in ascending order
   */
  private static double spearman(double[] ascending, double[] others) {
    int count = ascending.length;
    int[] order =
        IntStream.range(0, count)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> others[i]))
            .mapToInt(i -> i)
            .toArray();
    double squares = 0;
    for (int rank = 0; rank < count; rank++) {
      double difference = rank - order[rank];
      squares += difference * difference;
    }
    return 1 - 6 * squares / (count * ((double) count * count - 1));
  }
}
