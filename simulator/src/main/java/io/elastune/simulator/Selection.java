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
      int left = low;
      int right = high;
      while (left <= right) {
        while (values[left] < pivot) {
          left++;
        }
        while (values[right] > pivot) {
          right--;
        }
        if (left <= right) {
          double value = values[left];
          values[left++] = values[right];
          values[right--] = value;
        }
      }
      if (rank <= right) {
        high = right;
      } else if (rank >= left) {
        low = left;
      } else {
        return;
      }
    }
    Arrays.sort(values, low, high + 1);
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
