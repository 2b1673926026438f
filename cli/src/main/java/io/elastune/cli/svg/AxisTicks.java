package io.elastune.cli.svg;

/** Chooses round distances between the ticks of an axis. */
final class AxisTicks {
  /** Seconds. */
  private static final double[] TIMES = {
    0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600,
    43_200, 86_400
  };

  private static final double[] STEPS = {1, 2, 5, 10};

  private AxisTicks() {}

  /** Returns a distance in seconds, at least {@code leastS}. */
  static double ofTime(double leastS) {
    for (double step : TIMES) {
      if (step >= leastS) {
        return step;
      }
    }
    return Math.ceil(leastS / 86_400) * 86_400;
  }

  /** Returns a distance for other amounts, at least {@code least}. */
  static double ofAmount(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (double step : STEPS) {
      if (step * power >= least) {
        return step * power;
      }
    }
    return STEPS[STEPS.length - 1] * power;
  }
}
