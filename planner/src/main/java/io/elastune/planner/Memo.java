package io.elastune.planner;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Remembers what a function of one number came to that takes long to compute and is asked for the
 * same few numbers again and again: shares of small whole numbers. Of numbers that meet in one slot
 * the last one stays. Not thread-safe.
 */
final class Memo {
  private static final int BITS = 9;

  /** Spreads the bits of a number over the upper ones (Fibonacci hashing). */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final DoubleUnaryOperator function;
  private final double[] arguments = new double[1 << BITS];
  private final double[] results = new double[1 << BITS];

  Memo(DoubleUnaryOperator function) {
    this.function = function;
    // What equals nothing, not even itself.
    Arrays.fill(arguments, Double.NaN);
  }

  /** The function's result. */
  double of(double argument) {
    int slot = (int) ((Double.doubleToRawLongBits(argument) * GOLDEN) >>> (Long.SIZE - BITS));
    if (arguments[slot] != argument) {
      results[slot] = function.applyAsDouble(argument);
      arguments[slot] = argument;
    }
    return results[slot];
  }
}
