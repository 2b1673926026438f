package io.elastune.planner.model;

/**
 * The state at a barrier, just after surplus instances were released: everything that the remaining
 * groups of a chain depend on. Equal instances form a block; blocks are in the order of the numbers
 * of their instances. Arrays must not be changed.
 *
 * @param timeS mean time of the barrier
 * @param varianceS2 variance of that time, in seconds squared; 0 without spread
 * @param costUsd bills of all leases ended, and data-in of all requested
 * @param offerChoice index of the offer of the instances; -1 when none is held
 * @param counts instances of each block
 * @param runningS since when each is billed
 * @param readyS when each is ready
 * @param usedS seconds in which a trial ran on each; 0 where no bill depends on it
 * @param waiting index of the size of the trials whose programs wait; -1 if none do
 * @param waitingShare the part of the trials of the group before whose programs wait
 */
@SuppressWarnings("ArrayRecordComponent")
public // of the innermost loop; nothing compares these
record HeldInstances(
    double timeS,
    double varianceS2,
    double costUsd,
    int offerChoice,
    int[] counts,
    double[] runningS,
    double[] readyS,
    double[] usedS,
    int waiting,
    double waitingShare) {
  private static final double[] NO_TIMES = {};
  private static final int[] NO_COUNTS = {};

  /** Creates instances on which no program waits. */
  HeldInstances(
      double timeS,
      double varianceS2,
      double costUsd,
      int offerChoice,
      int[] counts,
      double[] runningS,
      double[] readyS,
      double[] usedS) {
    this(timeS, varianceS2, costUsd, offerChoice, counts, runningS, readyS, usedS, -1, 0);
  }

  /** The start of a chain. */
  public static final HeldInstances NOTHING = none(0, 0, 0);

  static HeldInstances none(double timeS, double varianceS2, double costUsd) {
    return new HeldInstances(
        timeS, varianceS2, costUsd, -1, NO_COUNTS, NO_TIMES, NO_TIMES, NO_TIMES);
  }

  /** Returns {@code count} instances that are ready at time 0 and billed since then. */
  public static HeldInstances ready(int offerChoice, int count) {
    double[] zero = {0};
    return count == 0
        ? NOTHING
        : new HeldInstances(0, 0, 0, offerChoice, new int[] {count}, zero, zero, zero);
  }

  /**
   * Returns the part of the start-ups that a group of trials does not need, as it lengthens the
   * group: the first trial that starts its program on one of the slots determines its end.
   *
   * @param slots of the instances that are held
   */
  double savedShare(TrialShape size, int trials, int slots) {
    if (waiting != size.index() || slots == 0) {
      return 0;
    }
    int atOnce = Math.min(trials, slots);
    return Math.pow(waitingShare, atOnce) * atOnce / trials;
  }

  /** Whether at least as many programs wait on these instances as on others. */
  public boolean waitsLike(HeldInstances other) {
    return other.waiting < 0 || (waiting == other.waiting && waitingShare >= other.waitingShare);
  }

  public int blocks() {
    return counts.length;
  }

  /** Instances held. */
  public int count() {
    int sum = 0;
    for (int count : counts) {
      sum += count;
    }
    return sum;
  }
}
