package io.elastune.cli.screen;

import io.elastune.core.time.Durations;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Limits as people would type them, rounded up, so that what is shown is enough. */
final class RoundedUp {
  private static final double MINUTE = 60;
  private static final double MINUTES_FROM_S = 600;
  private static final double CENTS_FROM = 0.1;

  /** Keeps 3.0000000001 from becoming 4. */
  private static final double ROUNDING = 1e-9;

  private RoundedUp() {}

  /** To the second, and from ten minutes on to the minute. */
  static String seconds(double seconds) {
    return Durations.format(up(seconds, seconds < MINUTES_FROM_S ? 1 : MINUTE));
  }

  /** To the cent, and below ten cents to a hundredth of one. */
  static String usd(double usd) {
    return Usd.format(up(usd, usd < CENTS_FROM ? 1e-4 : 0.01));
  }

  /** The same as it is typed: {@code 3.86}. */
  static String plainUsd(double usd) {
    return BigDecimal.valueOf(up(usd, usd < CENTS_FROM ? 1e-4 : 0.01))
        .setScale(usd < CENTS_FROM ? 4 : 2, RoundingMode.HALF_UP)
        .toPlainString();
  }

  private static double up(double value, double step) {
    return Math.ceil(value / step - ROUNDING) * step;
  }
}
