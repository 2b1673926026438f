package io.elastune.cli.text;

import io.elastune.core.time.Durations;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Formats limits as a user would type them, rounded up so that the shown limit suffices. */
final class RoundUpFormat {
  private static final double MINUTE = 60;
  private static final double MINUTES_FROM_S = 600;
  private static final double CENTS_FROM = 0.1;

  /** Keeps 3.0000000001 from becoming 4. */
  private static final double ROUNDING = 1e-9;

  private RoundUpFormat() {}

  /** Rounds up to the second, and from ten minutes on to the minute. */
  static String seconds(double seconds) {
    return Durations.format(up(seconds, seconds < MINUTES_FROM_S ? 1 : MINUTE));
  }

  /** Rounds up to the cent, and below ten cents to a hundredth of a cent. */
  static String usd(double usd) {
    return UsdFormat.format(up(usd, usd < CENTS_FROM ? 1e-4 : 0.01));
  }

  /** Returns the same amount as a plain number: {@code 3.86}. */
  static String plainUsd(double usd) {
    return BigDecimal.valueOf(up(usd, usd < CENTS_FROM ? 1e-4 : 0.01))
        .setScale(usd < CENTS_FROM ? 4 : 2, RoundingMode.HALF_UP)
        .toPlainString();
  }

  private static double up(double value, double step) {
    return Math.ceil(value / step - ROUNDING) * step;
  }
}
