package io.elastune.planner.model;

import java.util.function.IntPredicate;

/** Finds the first number from which on a predicate is true. */
public final class Bisection {
  private Bisection() {}

  /** Returns the first number of a range for which {@code isTrue}; {@code to} if there is none. */
  public static int first(int from, int to, IntPredicate isTrue) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isTrue.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Returns the first number below {@code to} for which {@code isTrue}; {@code to} if there is
   * none. Searched in growing steps from a guess, then by bisection.
   */
  public static int firstNear(int guess, int to, IntPredicate isTrue) {
    int low = 0;
    int high = to;
    int look = Math.min(guess, high - 1);
    for (int step = 1; low < high && !(low > 0 && high < to); step *= 2) {
      if (isTrue.test(look)) {
        high = look;
      } else {
        low = look + 1;
      }
      look = Math.max(low, Math.min(high - 1, low > 0 ? low + step - 1 : high - step));
    }
    return first(low, high, isTrue);
  }
}
