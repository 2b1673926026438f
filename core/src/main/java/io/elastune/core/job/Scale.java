package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/** Arithmetic on linear and logarithmic scales, and on values at a fixed distance. */
final class Scale {
  /** The description of the field {@code steps} of every dimension between two ends. */
  static final String STEPS_DOC = "For grid search: number of values, both ends included.";

  /** What applies without it where a grid has no values of its own. */
  static final String STEPS_WITHOUT = "none; grid needs steps or step";

  /** The description of the field {@code step} where values are drawn from the grid. */
  static final String STEP_DOC = "Distance between values: low, low + step, and so on, up to high.";

  private static final long MOST_VALUES = 1_000_000_000;
  private static final double SAME = 1e-9;

  private Scale() {}

  static double linear(double low, double high, double share) {
    return limited(low, high, low + share * (high - low));
  }

  /** Rounding errors must not leave the range. */
  private static double limited(double low, double high, double value) {
    return Math.min(high, Math.max(low, value));
  }

  static double logarithmic(double low, double high, double share) {
    if (share == 0 || share == 1) {
      return share == 0 ? low : high; // the ends themselves, without a rounding error
    }
    double value = Math.exp(Math.log(low) + share * (Math.log(high) - Math.log(low)));
    return limited(low, high, value);
  }

  /**
   * Returns the position of value {@code index} of {@code count} evenly spaced ones, from 0 to 1.
   */
  static double share(long index, long count) {
    return count == 1 ? 0.0 : (double) index / (count - 1);
  }

  /** Returns how many of {@code low}, {@code low + step}, … are at most {@code high}. */
  static long count(double low, double high, double step) {
    return BigDecimal.valueOf(high)
            .subtract(BigDecimal.valueOf(low))
            .divide(BigDecimal.valueOf(step), 0, RoundingMode.FLOOR)
            .longValue()
        + 1;
  }

  /** Returns {@code low + index * step} as computed with decimal numbers: 0.1 + 2 * 0.1 is 0.3. */
  static double at(double low, double step, long index) {
    return BigDecimal.valueOf(step)
        .multiply(BigDecimal.valueOf(index))
        .add(BigDecimal.valueOf(low))
        .doubleValue();
  }

  /** Returns the index of the value nearest to {@code value}. */
  static long nearest(double low, double step, long count, double value) {
    return Math.min(count - 1, Math.max(0, Math.round((value - low) / step)));
  }

  static boolean isMultiple(double low, double step, double value) {
    double index = (value - low) / step;
    return Math.abs(index - Math.rint(index)) <= SAME * Math.max(1, Math.abs(index));
  }

  static void check(double low, double high, Optional<Double> step) {
    Preconditions.that(
        Double.isFinite(low) && Double.isFinite(high) && low < high,
        "low must be below high: " + low + ", " + high);
    step.ifPresent(
        size -> {
          Preconditions.positive("step", size);
          Preconditions.that(
              size <= high - low, "step must not exceed high - low: " + size + ", " + (high - low));
          Preconditions.that(
              (high - low) / size < MOST_VALUES, "step results in too many values: " + size);
        });
  }

  static void checkSteps(Optional<Integer> steps, Optional<?> step) {
    steps.ifPresent(count -> Preconditions.atLeast("steps", 1, count));
    Preconditions.that(steps.isEmpty() || step.isEmpty(), "give either step or steps");
  }
}
