package io.elastune.simulator.sample;

import java.util.Arrays;

/** Computes order statistics in linear time (Hoare's quickselect), which is faster than sorting. */
final class QuickSelect {
  /** Below this length, sorting is fastest. */
  private static final int SHORT = 24;

  private QuickSelect() {}

  /**
   * Rearranges the values from {@code from} to {@code to} such that the value at {@code rank} is
   * the one that sorting would put there, with no greater value before it and no smaller value
   * after it.
   */
  static void select(double[] values, int from, int to, int rank) {
    int low = from;
    int high = to - 1;
    // Every round halves the rest on average; after too many rounds, the rest is sorted.
    for (int rounds = 2 * Integer.SIZE; high - low >= SHORT && rounds > 0; rounds--) {
      double pivot = median(values[low], values[(low + high) >>> 1], values[high]);
      int less = partition(values, low, high + 1, pivot);
      if (rank < less) {
        high = less - 1;
        continue;
      }
      low = partition(values, less, high + 1, Math.nextUp(pivot));
      if (rank < low) {
        return;
      }
    }
    Arrays.sort(values, low, high + 1);
  }

  /**
   * Moves the values less than {@code pivot} to the front and returns the index of the rest
   * (Lomuto's partition). There is no branch that depends on the values.
   */
  private static int partition(double[] values, int from, int to, double pivot) {
    int less = from;
    for (int i = from; i < to; i++) {
      double value = values[i];
      values[i] = values[less];
      values[less] = value;
      less += value < pivot ? 1 : 0;
    }
    return less;
  }

  private static double median(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  /**
   * Returns the minimum of the values from {@code from} to {@code to}; there must be at least one.
   */
  static double least(double[] values, int from, int to) {
    double least = values[from];
    for (int i = from + 1; i < to; i++) {
      if (values[i] < least) {
        least = values[i];
      }
    }
    return least;
  }
}
