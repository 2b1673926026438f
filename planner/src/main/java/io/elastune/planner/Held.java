package io.elastune.planner;

/**
 * What is held at a barrier, just after the surplus was released: all that the rest of a chain
 * depends on. Instances that cannot be told apart form a block; blocks are in the order of their
 * instances' numbers. Not to be changed.
 *
 * @param timeS the barrier, in the mean
 * @param varianceS2 how far it varies, in seconds squared; 0 without spread
 * @param costUsd bills of all leases ended, and data-in of all requested
 * @param rental of which the instances are; -1 when none is held
 * @param counts instances of each block
 * @param runningS since when each is billed
 * @param readyS when each is ready
 * @param usedS seconds in which a trial ran on each; 0 where no bill asks for it
 */
@SuppressWarnings("ArrayRecordComponent") // of the innermost loop; nothing compares these
record Held(
    double timeS,
    double varianceS2,
    double costUsd,
    int rental,
    int[] counts,
    double[] runningS,
    double[] readyS,
    double[] usedS) {
  private static final double[] NO_TIMES = {};
  private static final int[] NO_COUNTS = {};

  /** The start of a chain. */
  static final Held NOTHING = none(0, 0, 0);

  static Held none(double timeS, double varianceS2, double costUsd) {
    return new Held(timeS, varianceS2, costUsd, -1, NO_COUNTS, NO_TIMES, NO_TIMES, NO_TIMES);
  }

  /** {@code count} instances that are ready at time 0, and billed since then. */
  static Held ready(int rental, int count) {
    double[] zero = {0};
    return count == 0 ? NOTHING : new Held(0, 0, 0, rental, new int[] {count}, zero, zero, zero);
  }

  int blocks() {
    return counts.length;
  }

  /** Instances held. */
  int count() {
    int sum = 0;
    for (int count : counts) {
      sum += count;
    }
    return sum;
  }
}
