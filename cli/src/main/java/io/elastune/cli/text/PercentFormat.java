package io.elastune.cli.text;

import java.util.Locale;

/** Formats fractions as percentages. Rounding never overstates a guarantee. */
public final class PercentFormat {
  /** Keeps 0.29 × 100 = 28.999… from being shown as 28. */
  private static final double ROUNDING = 1e-9;

  /** Samples of a prediction support no more digits. */
  private static final int MOST_DIGITS = 2;

  private PercentFormat() {}

  /** Returns a probability, rounded down: {@code 96%}; {@code <1%} for a small one. */
  public static String probability(double fraction) {
    long whole = (long) Math.floor(fraction * 100 + ROUNDING);
    return whole == 0 && fraction > 0 ? "<1%" : whole + "%";
  }

  /**
   * Compares two probabilities with as many digits as distinguish them, each rounded down: {@code
   * 99.6% instead of 99.1%}. Those that are equal in hundredths are stated once: {@code 99% either
   * way}.
   */
  public static String instead(double fraction, double other) {
    String text = probability(fraction);
    String otherText = probability(other);
    for (int digits = 1; text.equals(otherText) && digits <= MOST_DIGITS; digits++) {
      text = roundedDown(fraction, digits);
      otherText = roundedDown(other, digits);
    }
    return text.equals(otherText)
        ? probability(fraction) + " either way"
        : text + " instead of " + otherText;
  }

  private static String roundedDown(double fraction, int digits) {
    double scale = Math.pow(10, digits);
    double rounded = Math.floor(fraction * 100 * scale + ROUNDING) / scale;
    return String.format(Locale.ROOT, "%." + digits + "f%%", rounded);
  }

  /** Returns an optimality gap, rounded up to a tenth: {@code 0.4%}. */
  public static String gap(double fraction) {
    double tenths = Math.ceil(fraction * 1000 - ROUNDING);
    return tenths % 10 == 0
        ? String.format(Locale.ROOT, "%.0f%%", Math.abs(tenths / 10))
        : String.format(Locale.ROOT, "%.1f%%", tenths / 10);
  }

  /** Returns a relative standard error, rounded up: {@code 0.05%}. */
  public static String error(double fraction) {
    return String.format(
        Locale.ROOT, "%.2f%%", Math.abs(Math.ceil(fraction * 10_000 - ROUNDING)) / 100);
  }

  /** Returns a share, rounded to a whole percentage: {@code 17%}. */
  public static String share(double fraction) {
    return Math.round(fraction * 100) + "%";
  }
}
