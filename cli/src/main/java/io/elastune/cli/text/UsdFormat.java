package io.elastune.cli.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats amounts in USD with suitable precision. */
public final class UsdFormat {
  private static final double CENTS_BELOW = 0.1;
  private static final double SIGNIFICANT_BELOW = 0.01;

  /** Less than this is what sums leave over that should be zero. */
  private static final double LEAST = 1e-9;

  private static final MathContext TWO_DIGITS = new MathContext(2, RoundingMode.HALF_UP);

  private UsdFormat() {}

  /**
   * Returns e.g. {@code $1,234.50} or {@code $4.10}; below ten cents {@code $0.0123}; below one
   * cent two significant digits, {@code $0.0012}; below a billionth of a dollar {@code $0.00}.
   */
  public static String format(double usd) {
    if (!Double.isFinite(usd)) {
      return "?";
    }
    double size = Math.abs(usd);
    String digits = size < LEAST ? "0.00" : size >= CENTS_BELOW ? cents(size) : small(size);
    return (usd <= -LEAST ? "-$" : "$") + digits;
  }

  private static String cents(double usd) {
    return String.format(Locale.ROOT, "%,.2f", usd);
  }

  private static String small(double usd) {
    if (usd >= SIGNIFICANT_BELOW) {
      return String.format(Locale.ROOT, "%.4f", usd);
    }
    return BigDecimal.valueOf(usd).round(TWO_DIGITS).stripTrailingZeros().toPlainString();
  }
}
