package io.elastune.planner;

/**
 * What is held at a barrier, just after the surplus was released: all that the rest of a chain
 * depends on. Instances are in the order of their numbers. Not to be changed.
 *
 * @param timeS the barrier
 * @param costUsd bills of all leases ended, and data-in of all requested
 * @param rental of which the instances are; -1 when none is held
 * @param runningS since when each is billed
 * @param readyS when each is ready
 * @param usedS seconds in which a trial ran on each
 */
@SuppressWarnings("ArrayRecordComponent") // of the innermost loop; nothing compares these
record Held(
    double timeS, double costUsd, int rental, double[] runningS, double[] readyS, double[] usedS) {
  private static final double[] NONE = {};

  /** The start of a chain. */
  static final Held NOTHING = new Held(0, 0, -1, NONE, NONE, NONE);

  int count() {
    return runningS.length;
  }

  static Held none(double timeS, double costUsd) {
    return new Held(timeS, costUsd, -1, NONE, NONE, NONE);
  }
}
