package io.elastune.planner;

/** What is needed of the standard normal distribution, quickly and to about a percent. */
final class Normal {
  private static final int KNOWN = 1 << 12;
  private static final double[] MAXIMA = new double[KNOWN];
  private static final double[] VARIANCES = new double[KNOWN];

  static {
    for (int draws = 1; draws < KNOWN; draws++) {
      MAXIMA[draws] = blom(draws);
      VARIANCES[draws] = fitted(draws);
    }
  }

  private Normal() {}

  /** The mean of the greatest of {@code draws} independent draws. */
  static double maximum(int draws) {
    return draws < KNOWN ? MAXIMA[draws] : blom(draws);
  }

  /** Blom's score of the greatest. */
  private static double blom(int draws) {
    return quantile((draws - 0.375) / (draws + 0.25));
  }

  /** The variance of the greatest of {@code draws}; a fit to the tabled ones. */
  static double maximumVariance(int draws) {
    return draws > 0 && draws < KNOWN ? VARIANCES[draws] : fitted(draws);
  }

  private static double fitted(int draws) {
    double log = Math.log(draws);
    return 1 / (1 + log * (0.61 + 0.09 * log));
  }

  /** The value below which a draw is with this probability: Tukey's lambda. */
  static double quantile(double probability) {
    return 4.91 * (Math.pow(probability, 0.14) - Math.pow(1 - probability, 0.14));
  }

  /** The mean of the draws below the quantile of {@code part}: of the lowest part of many. */
  static double lowestMean(double part) {
    return part >= 1 ? 0 : -density(quantile(part)) / part;
  }

  static double density(double x) {
    return Math.exp(-x * x / 2) * 0.3989422804014327;
  }

  /** The probability of a draw below {@code x}. */
  static double probability(double x) {
    return 1 / (1 + Math.exp(-x * (1.5976 + 0.070565 * x * x)));
  }
}
