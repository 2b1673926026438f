package io.elastune.profiler;

import io.elastune.core.profile.MeasuredNumber;
import java.util.List;
import java.util.Optional;

/**
 * The mean of independent estimates of one number, weighted by their precision. Estimates that
 * differ by more than their standard errors explain have an additional variance between runs, after
 * DerSimonian and Laird, Controlled Clinical Trials 7 (1986).
 *
 * @param between the variance between runs
 */
record PooledNumber(double value, double standardError, double between, int count) {
  private static final double NORMAL = 1.959963984540054;

  /** Returns the standard error that an estimate from few observations deserves. */
  static double error(MeasuredNumber number) {
    return Math.max(number.standardError(), (number.high() - number.value()) / NORMAL);
  }

  /** Returns the mean; empty if no estimate has a standard error. */
  static Optional<PooledNumber> of(List<MeasuredNumber> numbers) {
    List<MeasuredNumber> known = numbers.stream().filter(one -> error(one) > 0).toList();
    if (known.isEmpty()) {
      return Optional.empty();
    }
    double between = between(known);
    PooledNumber pooled = weighted(known, between);
    return Optional.of(pooled);
  }

  private static double between(List<MeasuredNumber> numbers) {
    double weights = 0;
    double squaredWeights = 0;
    for (MeasuredNumber number : numbers) {
      double weight = 1 / (error(number) * error(number));
      weights += weight;
      squaredWeights += weight * weight;
    }
    double mean = weighted(numbers, 0).value();
    double q = 0;
    for (MeasuredNumber number : numbers) {
      q += Math.pow((number.value() - mean) / error(number), 2);
    }
    double scale = weights - squaredWeights / weights;
    return scale > 0 ? Math.max(0, (q - (numbers.size() - 1)) / scale) : 0;
  }

  private static PooledNumber weighted(List<MeasuredNumber> numbers, double between) {
    double weights = 0;
    double sum = 0;
    int count = 0;
    for (MeasuredNumber number : numbers) {
      double weight = 1 / (error(number) * error(number) + between);
      weights += weight;
      sum += weight * number.value();
      count += number.count();
    }
    return new PooledNumber(sum / weights, Math.sqrt(1 / weights), between, count);
  }

  /** Returns the number under its name, with an interval of 95 %. */
  MeasuredNumber named(String name) {
    double half = NORMAL * standardError;
    return new MeasuredNumber(
        name, value, standardError, Math.max(0, value - half), value + half, count);
  }
}
