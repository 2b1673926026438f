package io.elastune.core.random;

/**
 * Quantiles of the standard normal distribution, by the rational approximations of P. J. Acklam
 * ("An algorithm for computing the inverse normal cumulative distribution function", 2003), with a
 * relative error below 1.2e-9.
 */
public final class NormalScores {
  private static final double LOW = 0.02425;
  private static final double[] A = {
    -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
    1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00
  };
  private static final double[] B = {
    -5.447609879822406e+01,
    1.615858368580409e+02,
    -1.556989798598866e+02,
    6.680131188771972e+01,
    -1.328068155288572e+01,
    1
  };
  private static final double[] C = {
    -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
    -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00
  };
  private static final double[] D = {
    7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1
  };

  private NormalScores() {}

  /** Returns the value below which a draw is with a probability, which is above 0 and below 1. */
  public static double quantile(double probability) {
    if (probability < LOW) {
      return tail(probability);
    }
    if (probability > 1 - LOW) {
      return -tail(1 - probability);
    }
    double q = probability - 0.5;
    double r = q * q;
    return polynomial(A, r) * q / polynomial(B, r);
  }

  private static double tail(double probability) {
    double q = Math.sqrt(-2 * Math.log(probability));
    return polynomial(C, q) / polynomial(D, q);
  }

  private static double polynomial(double[] coefficients, double x) {
    double sum = 0;
    for (double coefficient : coefficients) {
      sum = sum * x + coefficient;
    }
    return sum;
  }
}
