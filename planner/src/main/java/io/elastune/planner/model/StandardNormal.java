package io.elastune.planner.model;

/** Functions of the standard normal distribution: fast, with an error of about a percent. */
final class StandardNormal {
  private static final int KNOWN = 1 << 12;
  private static final double[] MAXIMA = new double[KNOWN];
  private static final double[] VARIANCES = new double[KNOWN];

  static {
    for (int draws = 1; draws < KNOWN; draws++) {
      MAXIMA[draws] = blom(draws);
      VARIANCES[draws] = fitted(draws);
    }
  }

  private StandardNormal() {}

  /** Returns the mean of the largest of {@code draws} independent draws. */
  static double maximum(int draws) {
    return draws < KNOWN ? MAXIMA[draws] : blom(draws);
  }

  /** Blom's approximation of the mean of the largest draw. */
  private static double blom(int draws) {
    return quantile((draws - 0.375) / (draws + 0.25));
  }

  /** Returns the variance of the largest of {@code draws} independent draws, by a fit to tables. */
  static double maximumVariance(int draws) {
    return draws > 0 && draws < KNOWN ? VARIANCES[draws] : fitted(draws);
  }

  private static double fitted(int draws) {
    double log = Math.log(draws);
    return 1 / (1 + log * (0.61 + 0.09 * log));
  }

  /**
   * Returns the value below which a draw lies with this probability (Tukey lambda distribution).
   */
  static double quantile(double probability) {
    return 4.91 * (Math.pow(probability, 0.14) - Math.pow(1 - probability, 0.14));
  }

  /** Returns the mean of the draws below the quantile of {@code part}. */
  static double lowestMean(double part) {
    return part >= 1 ? 0 : -density(quantile(part)) / part;
  }

  static double density(double x) {
    return Math.exp(-x * x / 2) * 0.3989422804014327;
  }

  /** Returns the probability of a draw below {@code x}. */
  static double probability(double x) {
    return 1 / (1 + Math.exp(-x * (1.5976 + 0.070565 * x * x)));
  }
}
