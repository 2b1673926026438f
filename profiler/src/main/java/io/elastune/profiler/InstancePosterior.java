package io.elastune.profiler;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * How probable each spread of instances is after the measurements. Of two or three instances, the
 * likeliest spread is often 0, although they may well differ, and the intervals of the likelihood
 * alone are far too wide. The prior is a scaled inverse chi-squared distribution of the variance
 * (Gelman et al., Bayesian Data Analysis, 2013, section 3.2): 3 %, with the weight of two
 * comparisons. In five clusters, GPUs of one model differed over a range of 8 % on average and of
 * 22 % at most (Sinha et al., SC 2022), which are spreads of 1.5 to 4 %. For each spread of
 * instances, the components of units and trials are the likeliest ones.
 */
final class InstancePosterior {
  /** The spread of instances before any measurement. */
  private static final double PRIOR = 0.03;

  /** Independent comparisons that the prior counts as. */
  private static final double PRIOR_WEIGHT = 2;

  /** The range of spreads that are considered. */
  private static final double LEAST = 5e-4;

  private static final double LARGEST = 1;
  private static final int POINTS = 40;

  /** The logarithm of the ratio of one spread to the next lower one. */
  private static final double STEP = Math.log(LARGEST / LEAST) / (POINTS - 1);

  private static final double TAIL = 0.025;

  /**
   * One spread of instances, with the likeliest ones of units and trials.
   *
   * @param weight its probability
   */
  record Point(double unitCv, double trialCv, double instanceCv, double weight) {
    /** Returns the coefficients of variation by component. */
    double[] cvs() {
      return new double[] {unitCv, trialCv, instanceCv};
    }
  }

  private final List<Point> points;
  private final double likeliest;
  private final int comparisons;

  /**
   * Computes the posterior.
   *
   * @throws IllegalArgumentException if the observations show nothing of instances
   */
  InstancePosterior(SpreadLikelihood likelihood, VarianceComponents components) {
    likeliest = components.cv(SpreadLikelihood.INSTANCE);
    comparisons = likelihood.freedom(SpreadLikelihood.INSTANCE);
    double[] logs = new double[POINTS];
    List<double[]> spreads = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      double cv = LEAST * Math.exp(i * STEP);
      double[] cvs = components.likeliest(SpreadLikelihood.INSTANCE, cv);
      spreads.add(cvs);
      logs[i] = likelihood.at(cvs) + logPrior(cv);
    }
    double greatest = DoubleStream.of(logs).max().orElseThrow();
    double sum = DoubleStream.of(logs).map(log -> Math.exp(log - greatest)).sum();
    List<Point> all = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      double[] cvs = spreads.get(i);
      all.add(
          new Point(
              cvs[SpreadLikelihood.UNIT],
              cvs[SpreadLikelihood.TRIAL],
              cvs[SpreadLikelihood.INSTANCE],
              Math.exp(logs[i] - greatest) / sum));
    }
    points = List.copyOf(all);
  }

  /** The logarithm of the prior density of the logarithm of a spread, without its constant. */
  private static double logPrior(double cv) {
    double ratio = PRIOR / cv;
    return -PRIOR_WEIGHT * (Math.log(cv) + ratio * ratio / 2);
  }

  List<Point> points() {
    return points;
  }

  /** Returns the likeliest spread with the interval that contains the truth with 95 %. */
  NumberEstimate estimate() {
    double low = Math.min(likeliest, quantile(TAIL));
    double high = Math.max(likeliest, quantile(1 - TAIL));
    return NumberEstimate.between(likeliest, low, high, comparisons + 1);
  }

  /** Returns the spread below which the truth lies with this probability. */
  private double quantile(double probability) {
    double below = 0;
    for (Point point : points) {
      if (below + point.weight() >= probability) {
        double beyond = (probability - below) / point.weight() - 0.5;
        return point.instanceCv() * Math.exp(beyond * STEP);
      }
      below += point.weight();
    }
    return LARGEST;
  }
}
