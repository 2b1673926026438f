package io.elastune.profiler;

import io.elastune.core.Spread;
import java.util.List;
import java.util.Optional;

/**
 * A mean and a spread that few values know only partly: the rest of their weight is that of more
 * general values, such as those of other places. The weights are those of the normal model with
 * known variances (Gelman et al., Bayesian Data Analysis, 2013, section 5.4): the more values, the
 * less the general mean counts.
 */
final class ShrunkSpread {
  /** The assumed standard deviation of a mean from the more general one, relative to the larger. */
  private static final double DIFFERENCE = 0.5;

  /** The general spread counts as so many values. */
  private static final double SPREAD_WEIGHT = 2;

  /** The least relative standard deviation of a value: that of few values is uncertain. */
  private static final double LEAST_CV = 0.2;

  private ShrunkSpread() {}

  /**
   * Returns the combination of values with what is known in general.
   *
   * @param general empty if nothing is known: then the values count alone
   * @param values may be empty: then the general spread counts alone
   */
  static Optional<Spread> of(Optional<Spread> general, List<Double> values) {
    if (values.isEmpty()) {
      return general;
    }
    Spread own = NumberEstimate.spread(values);
    return Optional.of(general.map(other -> combined(other, own, values.size())).orElse(own));
  }

  private static Spread combined(Spread general, Spread own, int count) {
    double freedom = count - 1.0;
    double squares = freedom * own.cv() * own.cv() + SPREAD_WEIGHT * general.cv() * general.cv();
    double cv = Math.sqrt(squares / (freedom + SPREAD_WEIGHT));
    double error = Math.max(LEAST_CV, cv) * own.mean();
    double difference = DIFFERENCE * Math.max(general.mean(), own.mean());
    double variance = error * error / count + difference * difference;
    double weight = variance > 0 ? difference * difference / variance : 1;
    return new Spread(weight * own.mean() + (1 - weight) * general.mean(), cv);
  }

  /** Returns the sum of two independent times. */
  static Spread sum(Spread one, Spread other) {
    double mean = one.mean() + other.mean();
    double deviation = Math.hypot(one.mean() * one.cv(), other.mean() * other.cv());
    return new Spread(mean, mean > 0 ? deviation / mean : 0);
  }
}
