package io.elastune.planner.model;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Caches the results of an expensive function of one number that is called repeatedly with the same
 * few arguments, such as quotients of small whole numbers. Of arguments that share a slot the last
 * one is retained. Not thread-safe.
 */
final class DoubleFunctionCache {
  private static final int BITS = 9;

  /** Mixes the bits of a number into the upper ones (Fibonacci hashing). */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final DoubleUnaryOperator function;
  private final double[] arguments = new double[1 << BITS];
  private final double[] results = new double[1 << BITS];

  DoubleFunctionCache(DoubleUnaryOperator function) {
    this.function = function;
    // NaN equals no argument.
    Arrays.fill(arguments, Double.NaN);
  }

  /** Returns the result of the function. */
  double of(double argument) {
    int slot = (int) ((Double.doubleToRawLongBits(argument) * GOLDEN) >>> (Long.SIZE - BITS));
    if (arguments[slot] != argument) {
      results[slot] = function.applyAsDouble(argument);
      arguments[slot] = argument;
    }
    return results[slot];
  }
}
