package io.elastune.simulator;

import java.util.Arrays;

/** Order statistics in linear time (Hoare's quickselect); sorting for three of them is dearer. */
final class Selection {
  /** Below this length sorting is the quickest. */
  private static final int SHORT = 24;

  private Selection() {}

  /**
   * Moves the values from {@code from} to {@code to} about until the one at {@code rank} is where
   * sorting would put it, nothing greater before it and nothing less behind it.
   */
  static void select(double[] values, int from, int to, int rank) {
    int low = from;
    int high = to - 1;
    // Every round halves what is left, on average; when bad luck persists, sorting ends it.
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
   * Moves what is less than {@code pivot} to the front and returns where the rest begins (Lomuto's
   * partition). Without a branch that depends on the values.
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

  /** The least of the values from {@code from} to {@code to}, at least one. */
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
