package io.elastune.cli.text;

import java.math.BigDecimal;
import java.math.MathContext;

/** Formats metrics and hyperparameters with at most six significant digits. */
public final class SignificantDigits {
  private static final int DIGITS = 6;
  private static final double PLAIN_FROM = 1e-4;
  private static final double PLAIN_BELOW = 1e9;

  private SignificantDigits() {}

  /** Returns the number without trailing zeros. */
  public static String text(double number) {
    if (!Double.isFinite(number)) {
      return Double.toString(number);
    }
    double size = Math.abs(number);
    if (number == Math.rint(number) && size < PLAIN_BELOW) {
      return Long.toString((long) number);
    }
    BigDecimal rounded =
        BigDecimal.valueOf(number).round(new MathContext(DIGITS)).stripTrailingZeros();
    return size >= PLAIN_FROM && size < PLAIN_BELOW
        ? rounded.toPlainString()
        : Double.toString(rounded.doubleValue());
  }
}
