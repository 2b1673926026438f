package io.elastune.profiler;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * A mean whose error has one of several Student's t-distributions.
 *
 * @param cases at least one; their weights add up to 1
 */
record UncertainMean(List<Case> cases) {
  private static final double TAIL = 0.025;

  /** The probability below the mean plus one standard error of a normal distribution. */
  private static final double ONE_ERROR = 0.8413447460685429;

  /** Where the search for quantiles begins, in standard errors. */
  private static final double FAR = 1e3;

  private static final int BISECTIONS = 60;

  UncertainMean {
    cases = List.copyOf(cases);
  }

  /**
   * One distribution of the error.
   *
   * @param weight its probability
   */
  record Case(double weight, double mean, double standardError, TDistribution error) {
    Case(double weight, double mean, double standardError, double freedom) {
      this(weight, mean, standardError, new TDistribution(Math.max(1, freedom)));
    }

    private double below(double value) {
      return error.cumulativeProbability((value - mean) / standardError);
    }
  }

  /**
   * Returns the estimate; its standard error is half the central range that contains the truth as
   * often as one standard error of a normal distribution does.
   *
   * @param count independent observations
   */
  NumberEstimate estimate(int count) {
    double value = sum(one -> one.weight() * one.mean());
    double widest = cases.stream().mapToDouble(Case::standardError).max().orElseThrow();
    if (cases.size() == 1 || widest == 0) {
      return NumberEstimate.student(
          value, widest, cases.get(0).error().getDegreesOfFreedom(), count);
    }
    return new NumberEstimate(
        value,
        (quantile(ONE_ERROR, value, widest) - quantile(1 - ONE_ERROR, value, widest)) / 2,
        Math.max(0, quantile(TAIL, value, widest)),
        quantile(1 - TAIL, value, widest),
        count);
  }

  private double quantile(double probability, double value, double widest) {
    double from = value - FAR * widest;
    double to = value + FAR * widest;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (from + to) / 2;
      if (sum(one -> one.weight() * one.below(middle)) < probability) {
        from = middle;
      } else {
        to = middle;
      }
    }
    return (from + to) / 2;
  }

  private double sum(ToDoubleFunction<Case> part) {
    return cases.stream().mapToDouble(part).sum();
  }
}
