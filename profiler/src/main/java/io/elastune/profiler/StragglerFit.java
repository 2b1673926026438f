package io.elastune.profiler;

import io.elastune.core.profile.Straggler;
import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The distribution of the durations of trials, relative to their mean: log-normal, a mixture of
 * usual trials and stragglers, or the durations themselves. The one with the least Bayes
 * information criterion counts: Schwarz, Annals of Statistics 6 (1978).
 *
 * <ul>
 *   <li>The mixture is fitted by expectation maximization: Dempster, Laird and Rubin, Journal of
 *       the Royal Statistical Society B 39 (1977).
 *   <li>The likelihood of the durations themselves is that of each one by a kernel density of the
 *       others, with the bandwidth of Silverman, Density Estimation (1986), section 3.4.2. It has
 *       the same penalty as the mixture.
 * </ul>
 *
 * @param model the chosen distribution
 * @param straggler the stragglers of a mixture
 * @param usualVariance the variance of usual trials, of their logarithms
 * @param samples the durations, if they are the distribution
 */
record StragglerFit(Model model, Straggler straggler, double usualVariance, List<Double> samples) {
  /** Fewer durations do not show another distribution than the log-normal one. */
  static final int LEAST_TRIALS = 20;

  private static final int STEPS = 500;
  private static final double LEAST_SLOWDOWN = Math.log(1.3);
  private static final double LEAST_VARIANCE = 1e-8;
  private static final double LOG_NORMAL_PARAMETERS = 2;
  private static final double MIXTURE_PARAMETERS = 4;
  private static final double BANDWIDTH = 0.9;
  private static final double INTERQUARTILE = 1.34;

  /** The shape of the distribution. */
  enum Model {
    LOG_NORMAL,
    MIXTURE,
    SAMPLES
  }

  StragglerFit {
    samples = List.copyOf(samples);
  }

  /** Returns the distribution of relative durations. */
  static StragglerFit of(List<Double> durations) {
    double[] logs = durations.stream().mapToDouble(Math::log).toArray();
    double variance = logs.length == 0 ? 0 : StatUtils.populationVariance(logs);
    StragglerFit plain = new StragglerFit(Model.LOG_NORMAL, Straggler.NONE, variance, List.of());
    if (logs.length < LEAST_TRIALS || variance < LEAST_VARIANCE) {
      return plain;
    }
    double penalty = Math.log(logs.length);
    double simple =
        LOG_NORMAL_PARAMETERS * penalty - 2 * logNormal(logs, StatUtils.mean(logs), variance);
    Mixture mixture = Mixture.of(logs);
    double mixed = MIXTURE_PARAMETERS * penalty - 2 * mixture.logLikelihood();
    double own = MIXTURE_PARAMETERS * penalty - 2 * leaveOneOut(logs);
    if (own < simple && own < mixed) {
      return new StragglerFit(Model.SAMPLES, Straggler.NONE, variance, durations);
    }
    return mixed < simple && mixture.shift() > LEAST_SLOWDOWN
        ? new StragglerFit(
            Model.MIXTURE,
            new Straggler(mixture.probability(), Math.exp(mixture.shift())),
            mixture.variance(),
            List.of())
        : plain;
  }

  private static double logNormal(double[] logs, double mean, double variance) {
    return DoubleStream.of(logs).map(x -> Math.log(density(x - mean, variance))).sum();
  }

  private static double density(double distance, double variance) {
    return Math.exp(-distance * distance / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
  }

  private static double leaveOneOut(double[] logs) {
    double quartiles = StatUtils.percentile(logs, 75) - StatUtils.percentile(logs, 25);
    double scale = Math.min(Math.sqrt(StatUtils.variance(logs)), quartiles / INTERQUARTILE);
    double width = BANDWIDTH * scale * Math.pow(logs.length, -0.2);
    double variance = Math.max(LEAST_VARIANCE, width * width);
    double sum = 0;
    for (double x : logs) {
      double all = DoubleStream.of(logs).map(other -> density(x - other, variance)).sum();
      double others = (all - density(0, variance)) / (logs.length - 1);
      sum += Math.log(Math.max(Double.MIN_NORMAL, others));
    }
    return sum;
  }

  /** Two normal distributions with the same variance; the second one is shifted. */
  private record Mixture(
      double mean, double variance, double probability, double shift, double logLikelihood) {
    static Mixture of(double[] logs) {
      double median = StatUtils.percentile(logs, 50);
      double start = Math.max(LEAST_SLOWDOWN, StatUtils.max(logs) - median);
      Mixture mixture = new Mixture(median, StatUtils.populationVariance(logs) / 4, 0.1, start, 0);
      for (int i = 0; i < STEPS; i++) {
        mixture = mixture.improved(logs);
      }
      Mixture last = mixture;
      double likelihood = DoubleStream.of(logs).map(x -> Math.log(last.density(x))).sum();
      return new Mixture(
          last.mean(), last.variance(), last.probability(), last.shift(), likelihood);
    }

    private double density(double x) {
      return (1 - probability) * StragglerFit.density(x - mean, variance)
          + probability * StragglerFit.density(x - mean - shift, variance);
    }

    private Mixture improved(double[] logs) {
      double slow = 0;
      double slowSum = 0;
      double usualSum = 0;
      double[] shares = new double[logs.length];
      for (int i = 0; i < logs.length; i++) {
        double density = Math.max(Double.MIN_NORMAL, density(logs[i]));
        shares[i] = probability * StragglerFit.density(logs[i] - mean - shift, variance) / density;
        slow += shares[i];
        slowSum += shares[i] * logs[i];
        usualSum += (1 - shares[i]) * logs[i];
      }
      if (slow < 1 || slow > logs.length / 2.0) {
        return this; // fewer than one straggler, or more stragglers than usual trials
      }
      double usual = usualSum / (logs.length - slow);
      double late = slowSum / slow;
      double squares = 0;
      for (int i = 0; i < logs.length; i++) {
        squares +=
            (1 - shares[i]) * Math.pow(logs[i] - usual, 2)
                + shares[i] * Math.pow(logs[i] - late, 2);
      }
      double next = Math.max(LEAST_VARIANCE, squares / logs.length);
      return new Mixture(usual, next, slow / logs.length, late - usual, 0);
    }
  }
}
