package io.elastune.profiler;

import io.elastune.profiler.InstancePosterior.Point;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The unit time of each size, weighted by the components of its spread: trials on an instance with
 * few others count more. The error has Student's t-distribution with the degrees of freedom of
 * Satterthwaite, Biometrics Bulletin 2 (1946). The spread of few instances is hardly known, so the
 * interval is that of all spreads that are possible, by their probability.
 *
 * <p>A trial on several instances has the speed of the slowest one, and a prediction draws the
 * slowest one again. Its measured unit time is therefore divided by the expected slowness.
 */
final class UnitTimes {
  /** Steps of the integral for the expected maximum. */
  private static final int STEPS = 2000;

  private static final double WIDEST = 8;

  /** Spreads that are less probable do not change an interval. */
  private static final double NEGLIGIBLE = 1e-5;

  /** With more degrees of freedom, Student's t-distribution is the normal distribution. */
  private static final double MOST_FREEDOM = 1e6;

  private final Map<TrialSize, NumberEstimate> estimates = new LinkedHashMap<>();

  UnitTimes(
      List<SizeFit> fits,
      SpreadLikelihood likelihood,
      VarianceComponents components,
      Optional<InstancePosterior> posterior) {
    List<SizeFit> observed = fits.stream().filter(fit -> !fit.trials().isEmpty()).toList();
    if (observed.isEmpty()) {
      return;
    }
    List<Means> possible = possible(likelihood, components, posterior);
    for (int i = 0; i < observed.size(); i++) {
      SizeFit fit = observed.get(i);
      double single = 1 + components.cv(SpreadLikelihood.INSTANCE) * slowest(instances(fit));
      estimates.put(
          fit.size(),
          mean(possible, i, fit.trials().size(), likelihood)
              .estimate(fit.trials().size())
              .times(fit.unitS() / single));
    }
  }

  /** The means of all sizes, if the spread is known. */
  private static final class Means {
    final double weight;
    final double[] means;
    final double[] variances;
    final double[] freedoms;

    /**
     * @param weight the probability of this spread
     * @param uncertain the spread of components up to this one is known by few observations only
     */
    Means(SpreadLikelihood likelihood, double[] cvs, double weight, int uncertain) {
      this.weight = weight;
      this.means = likelihood.means(cvs);
      this.variances = likelihood.variances(cvs);
      this.freedoms = UnitTimes.freedoms(likelihood, cvs, variances, uncertain);
    }
  }

  private static List<Means> possible(
      SpreadLikelihood likelihood,
      VarianceComponents components,
      Optional<InstancePosterior> posterior) {
    if (posterior.isEmpty()) {
      return List.of(new Means(likelihood, components.cvs(), 1, SpreadLikelihood.INSTANCE));
    }
    List<Point> points =
        posterior.get().points().stream().filter(one -> one.weight() > NEGLIGIBLE).toList();
    double all = points.stream().mapToDouble(Point::weight).sum();
    return points.stream()
        .map(one -> new Means(likelihood, one.cvs(), one.weight() / all, SpreadLikelihood.TRIAL))
        .toList();
  }

  private static UncertainMean mean(
      List<Means> possible, int size, int trials, SpreadLikelihood likelihood) {
    double least = likelihood.scatter() / trials;
    return new UncertainMean(
        possible.stream()
            .map(
                one -> {
                  boolean wider = least > one.variances[size];
                  return new UncertainMean.Case(
                      one.weight,
                      one.means[size],
                      Math.sqrt(wider ? least : one.variances[size]),
                      wider ? likelihood.scatterFreedom() : one.freedoms[size]);
                })
            .toList());
  }

  /** Returns the unit time of a size; empty if its trials reported only at the end. */
  Optional<NumberEstimate> of(TrialSize size) {
    return Optional.ofNullable(estimates.get(size));
  }

  private static int instances(SizeFit fit) {
    return fit.trials().stream().mapToInt(trial -> trial.leases().size()).max().orElse(1);
  }

  /** Returns the expected maximum of {@code count} standard normal variables. */
  static double slowest(int count) {
    NormalDistribution normal = new NormalDistribution();
    double width = 2 * WIDEST / STEPS;
    double sum = 0;
    for (int i = 0; i < STEPS && count > 1; i++) {
      double x = -WIDEST + (i + 0.5) * width;
      double below = normal.cumulativeProbability(x);
      sum += x * count * normal.density(x) * Math.pow(below, count - 1.0) * width;
    }
    return sum;
  }

  /** Returns the degrees of freedom; the spread of components above {@code uncertain} is known. */
  private static double[] freedoms(
      SpreadLikelihood likelihood, double[] cvs, double[] variances, int uncertain) {
    double[] squares = new double[variances.length];
    for (int component = 0; component <= uncertain; component++) {
      if (cvs[component] > 0 && likelihood.freedom(component) > 0) {
        double[] without = cvs.clone();
        without[component] = 0;
        double[] rest = likelihood.variances(without);
        for (int i = 0; i < squares.length; i++) {
          double part = Math.max(0, variances[i] - rest[i]);
          squares[i] += part * part / likelihood.freedom(component);
        }
      }
    }
    double[] freedoms = new double[variances.length];
    for (int i = 0; i < freedoms.length; i++) {
      freedoms[i] =
          squares[i] > 0 ? Math.min(MOST_FREEDOM, variances[i] * variances[i] / squares[i]) : 1;
    }
    return freedoms;
  }
}
