package io.elastune.profiler;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The unit time of each size, weighted by the components of its spread: trials on an instance with
 * few others count more. The error has Student's t-distribution with the degrees of freedom of
 * Satterthwaite, Biometrics Bulletin 2 (1946).
 *
 * <p>A trial on several instances has the speed of the slowest one, and a prediction draws the
 * slowest one again. Its measured unit time is therefore divided by the expected slowness.
 */
final class UnitTimes {
  /** Steps of the integral for the expected maximum. */
  private static final int STEPS = 2000;

  private static final double WIDEST = 8;

  private final Map<TrialSize, NumberEstimate> estimates = new LinkedHashMap<>();

  UnitTimes(List<SizeFit> fits, SpreadLikelihood likelihood, VarianceComponents components) {
    List<SizeFit> observed = fits.stream().filter(fit -> !fit.trials().isEmpty()).toList();
    if (observed.isEmpty()) {
      return;
    }
    double[] cvs = components.cvs();
    double[] means = likelihood.means(cvs);
    double[] variances = likelihood.variances(cvs);
    double[] freedoms = freedoms(likelihood, cvs, variances);
    double scatter = likelihood.scatter();
    for (int i = 0; i < observed.size(); i++) {
      SizeFit fit = observed.get(i);
      int trials = fit.trials().size();
      boolean wider = scatter / trials > variances[i];
      double variance = wider ? scatter / trials : variances[i];
      double freedom = wider ? likelihood.scatterFreedom() : freedoms[i];
      double single = 1 + cvs[VarianceComponents.INSTANCE] * slowest(instances(fit));
      estimates.put(
          fit.size(),
          NumberEstimate.student(means[i], Math.sqrt(variance), freedom, trials)
              .times(fit.unitS() / single));
    }
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

  private static double[] freedoms(SpreadLikelihood likelihood, double[] cvs, double[] variances) {
    double[] parts = new double[variances.length];
    double[] squares = new double[variances.length];
    for (int component = 0; component < cvs.length; component++) {
      if (cvs[component] > 0 && likelihood.freedom(component) > 0) {
        double[] without = cvs.clone();
        without[component] = 0;
        double[] rest = likelihood.variances(without);
        for (int i = 0; i < parts.length; i++) {
          double part = Math.max(0, variances[i] - rest[i]);
          parts[i] += part;
          squares[i] += part * part / likelihood.freedom(component);
        }
      }
    }
    double[] freedoms = new double[variances.length];
    for (int i = 0; i < freedoms.length; i++) {
      freedoms[i] = squares[i] > 0 ? parts[i] * parts[i] / squares[i] : 1;
    }
    return freedoms;
  }
}
