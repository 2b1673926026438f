package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.core.profile.MeasuredNumber;
import java.util.List;
import org.apache.commons.math3.distribution.BetaDistribution;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * An estimated number, its standard error, and its interval of 95 % confidence.
 *
 * @param count independent observations that it is based on
 */
record NumberEstimate(double value, double standardError, double low, double high, int count) {
  private static final double TAIL = 0.025;

  /** Half the width of an interval of 95 %, in standard errors. */
  private static final double NORMAL = 1.959963984540054;

  private static final int FEWEST_LOGARITHMS = 4;
  private static final double LARGEST_CV = 0.5;

  /** Estimates below this freedom have no finite spread; their interval is that of 1. */
  private static final double LEAST_FREEDOM = 1;

  /**
   * Returns an estimate whose error has Student's t-distribution.
   *
   * @param freedom degrees of freedom of the standard error
   */
  static NumberEstimate student(double value, double standardError, double freedom, int count) {
    double t =
        new TDistribution(Math.max(LEAST_FREEDOM, freedom)).inverseCumulativeProbability(1 - TAIL);
    return new NumberEstimate(
        value,
        standardError,
        Math.max(0, value - t * standardError),
        value + t * standardError,
        count);
  }

  /** Returns an estimate with this interval; its standard error follows from the width. */
  static NumberEstimate between(double value, double low, double high, int count) {
    return new NumberEstimate(value, (high - low) / (2 * NORMAL), low, high, count);
  }

  /** Returns the estimate of the mean of {@code values}, of which there are at least two. */
  static NumberEstimate mean(List<Double> values) {
    DescriptiveStatistics statistics = statistics(values);
    int n = values.size();
    double error = statistics.getStandardDeviation() / Math.sqrt(n);
    return student(statistics.getMean(), error, n - 1.0, n);
  }

  /**
   * Returns the estimate of the mean of {@code values}, of which there are at least two, whose
   * distribution is log-normal. Its interval is that of Cox with Student's t-distribution: Olsson,
   * Journal of Statistics Education 13 (2005). Logarithms of few values, or of values near 0, are
   * too uncertain: then it is that of a normal distribution.
   */
  static NumberEstimate logNormalMean(List<Double> values) {
    NumberEstimate normal = mean(values);
    int n = values.size();
    if (n < FEWEST_LOGARITHMS
        || values.stream().anyMatch(value -> value <= 0)
        || normal.standardError() * Math.sqrt(n) > LARGEST_CV * normal.value()) {
      return normal;
    }
    double variance = statistics(values.stream().map(Math::log).toList()).getVariance();
    double error = Math.sqrt(variance / n + variance * variance / (2 * (n - 1.0)));
    double width = new TDistribution(n - 1.0).inverseCumulativeProbability(1 - TAIL) * error;
    return new NumberEstimate(
        normal.value(),
        normal.standardError(),
        normal.value() * Math.exp(-width),
        normal.value() * Math.exp(width),
        n);
  }

  /**
   * Returns the estimate of the coefficient of variation of {@code values}, of which there are at
   * least two, for a normal distribution.
   */
  static NumberEstimate cv(List<Double> values) {
    DescriptiveStatistics statistics = statistics(values);
    int freedom = values.size() - 1;
    double cv =
        statistics.getMean() > 0 ? statistics.getStandardDeviation() / statistics.getMean() : 0;
    return deviation(cv, freedom);
  }

  /** Returns the estimate of a standard deviation with these degrees of freedom. */
  static NumberEstimate deviation(double value, int freedom) {
    ChiSquaredDistribution squares = new ChiSquaredDistribution(freedom);
    return between(
        value,
        value * Math.sqrt(freedom / squares.inverseCumulativeProbability(1 - TAIL)),
        value * Math.sqrt(freedom / squares.inverseCumulativeProbability(TAIL)),
        freedom + 1);
  }

  /**
   * Returns the estimate of the probability of what occurred {@code times} in {@code count}, with
   * the interval of Jeffreys: Brown, Cai and DasGupta, Statistical Science 16 (2001).
   */
  static NumberEstimate fraction(double times, int count) {
    BetaDistribution beta = new BetaDistribution(times + 0.5, count - times + 0.5);
    return between(
        times / count,
        beta.inverseCumulativeProbability(TAIL),
        beta.inverseCumulativeProbability(1 - TAIL),
        count);
  }

  /** Returns an estimate whose logarithm has a normal error. */
  static NumberEstimate logNormal(double value, double logError, int count) {
    return between(
        value, value * Math.exp(-NORMAL * logError), value * Math.exp(NORMAL * logError), count);
  }

  /** Returns mean and coefficient of variation of {@code values}. */
  static Spread spread(List<Double> values) {
    DescriptiveStatistics statistics = statistics(values);
    double mean = statistics.getMean();
    double cv = values.size() < 2 || mean == 0 ? 0 : statistics.getStandardDeviation() / mean;
    return new Spread(mean, cv);
  }

  /** Returns this estimate times a constant. */
  NumberEstimate times(double factor) {
    return new NumberEstimate(
        value * factor, standardError * factor, low * factor, high * factor, count);
  }

  /** Returns the number under the name that the profile file has for it. */
  MeasuredNumber named(String name) {
    return new MeasuredNumber(name, value, standardError, low, high, count);
  }

  private static DescriptiveStatistics statistics(List<Double> values) {
    return new DescriptiveStatistics(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
