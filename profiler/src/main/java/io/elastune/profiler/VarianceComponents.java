package io.elastune.profiler;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.optim.InitialGuess;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.SimpleValueChecker;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunction;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.NelderMeadSimplex;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.SimplexOptimizer;
import org.apache.commons.math3.special.Gamma;

/**
 * Splits the spread of unit times into components of units, trials and instances. The components
 * maximize the restricted likelihood (REML), which takes into account that the mean of each size is
 * estimated too, works with unbalanced groups, and gives no negative variance: Patterson and
 * Thompson, Biometrika 58 (1971); Searle, Casella and McCulloch, Variance Components (1992), ch. 6.
 *
 * <p>The interval of a component contains the values whose likelihood, maximized over the others,
 * differs too little from the maximum to be refused (profile likelihood). Bartlett's factor of the
 * variance of few observations corrects the limit: Bartlett, Proc. R. Soc. A 160 (1937).
 */
final class VarianceComponents {

  /** Twice the difference of log-likelihoods at a confidence of 95 % (chi-squared, 1 freedom). */
  private static final double LIMIT = 3.841458820694124;

  /**
   * The same for a component that the observations do not show. Its maximum is at the bound 0,
   * where the difference is 0 in half of the cases (Self and Liang, J. American Statistical
   * Association 82, 1987).
   */
  private static final double LIMIT_AT_ZERO = 2.705543454095404;

  private static final int MAX_ITERATIONS = 1000;
  private static final int BISECTIONS = 30;
  private static final double TOLERANCE = 1e-9;
  private static final double LARGEST = 20;
  private static final int RESTARTS = 2;
  private static final double LEAST_LOG = Math.log(1e-8);
  private static final double NEGLIGIBLE = 1e-6;

  private final SpreadLikelihood likelihood;
  private final double[] found;
  private final double best;

  VarianceComponents(SpreadLikelihood likelihood) {
    this.likelihood = likelihood;
    found = maximum(-1, 0);
    best = likelihood.at(found);
  }

  /** Returns the field of the profile for {@code component}. */
  static String name(int component) {
    return List.of("unit_cv", "trial_cv", "instance_cv").get(component);
  }

  /** Returns the coefficient of variation of {@code component}; 0 if it cannot be known. */
  double cv(int component) {
    return found[component];
  }

  /** Returns all three coefficients of variation. */
  double[] cvs() {
    return found.clone();
  }

  /**
   * Returns the estimate of {@code component}.
   *
   * @throws IllegalArgumentException if the observations do not determine it
   */
  NumberEstimate estimate(int component) {
    int freedom = likelihood.freedom(component);
    double value = found[component];
    double limit = (value > 0 ? LIMIT : LIMIT_AT_ZERO) * bartlett(freedom);
    DoubleUnaryOperator excess = at -> 2 * (best - likelihood.at(maximum(component, at))) - limit;
    double low = excess.applyAsDouble(0.0) <= 0 ? 0 : crossing(excess, value, 0);
    double far = Math.max(value, likelihood.scale());
    while (far < LARGEST && excess.applyAsDouble(far) <= 0) {
      far *= 2;
    }
    double high = crossing(excess, value, far);
    return NumberEstimate.between(value, low, high, freedom + 1);
  }

  /** Returns the likeliest components if {@code component} has this coefficient of variation. */
  double[] likeliest(int component, double cv) {
    return maximum(component, cv);
  }

  /** The mean of twice the difference of log-likelihoods of a variance with this freedom. */
  private static double bartlett(int freedom) {
    double half = freedom / 2.0;
    return freedom * (Math.log(half) - Gamma.digamma(half));
  }

  private static double crossing(DoubleUnaryOperator excess, double inside, double outside) {
    double in = inside;
    double out = outside;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (in + out) / 2;
      if (excess.applyAsDouble(middle) <= 0) {
        in = middle;
      } else {
        out = middle;
      }
    }
    return in;
  }

  /** Returns the components of the greatest likelihood; {@code fixed}, if any, has this value. */
  private double[] maximum(int fixed, double value) {
    double[] all = new double[3];
    if (fixed >= 0) {
      all[fixed] = value;
    }
    int[] free = likelihood.known().filter(component -> component != fixed).toArray();
    if (free.length == 0) {
      return all;
    }
    double[] logs = new double[free.length];
    for (int i = 0; i < free.length; i++) {
      double guess = fixed >= 0 && found[free[i]] > 0 ? found[free[i]] : likelihood.guess(free[i]);
      logs[i] = Math.log(guess);
    }
    for (int i = 0; i < RESTARTS; i++) {
      logs = search(all, free, logs);
    }
    return withoutNegligible(filled(all, free, logs), fixed);
  }

  /** Searches over logarithms, because components may differ by orders of magnitude. */
  private double[] search(double[] all, int[] free, double[] logs) {
    return new SimplexOptimizer(new SimpleValueChecker(TOLERANCE, TOLERANCE, MAX_ITERATIONS))
        .optimize(
            new ObjectiveFunction(point -> likelihood.at(filled(all, free, point))),
            GoalType.MAXIMIZE,
            new InitialGuess(logs),
            new NelderMeadSimplex(free.length, 1),
            MaxEval.unlimited())
        .getPoint();
  }

  private static double[] filled(double[] all, int[] free, double[] logs) {
    double[] filled = all.clone();
    for (int i = 0; i < free.length; i++) {
      filled[free[i]] = Math.exp(Math.max(LEAST_LOG, logs[i]));
    }
    return filled;
  }

  /** Sets components to 0 without which the likelihood is as great. */
  private double[] withoutNegligible(double[] cvs, int fixed) {
    double[] result = cvs;
    for (int component = SpreadLikelihood.TRIAL;
        component <= SpreadLikelihood.INSTANCE;
        component++) {
      double[] without = result.clone();
      without[component] = 0;
      if (component != fixed && likelihood.at(without) >= likelihood.at(result) - NEGLIGIBLE) {
        result = without;
      }
    }
    return result;
  }
}
