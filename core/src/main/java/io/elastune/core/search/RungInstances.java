package io.elastune.core.search;

/** The instances of a search made of rungs: which GPUs are in use, and for how long. */
final class RungInstances {
  private static final int PHASES = 2;

  final double[] releasedS;
  final double[][] usedS;
  final double[][] busyS;

  private final int gpusPerInstance;
  private final long allGpus;
  private final long[] taken;
  private final int[] runningOn;
  private final double[] changedS;
  private final boolean[] isReady;
  private final boolean[] isReleased;
  private int held;

  /** All instances below are released, not ready, or have no free GPU. */
  private int firstOpen;

  private double taskS;

  RungInstances(int instances, int gpusPerInstance) {
    this.gpusPerInstance = gpusPerInstance;
    allGpus = PoolPlacement.mask(0, gpusPerInstance);
    held = instances;
    releasedS = new double[instances];
    usedS = new double[PHASES][instances];
    busyS = new double[PHASES][instances];
    taken = new long[instances];
    runningOn = new int[instances];
    changedS = new double[instances];
    isReady = new boolean[instances];
    isReleased = new boolean[instances];
  }

  /** Returns the seconds of all tasks, as far as they have been accounted for. */
  double taskS() {
    return taskS;
  }

  int count() {
    return taken.length;
  }

  int held() {
    return held;
  }

  boolean isReleased(int instance) {
    return isReleased[instance];
  }

  void ready(int instance) {
    isReady[instance] = true;
    firstOpen = Math.min(firstOpen, instance);
  }

  void take(int instance, int firstGpu, int gpus) {
    taken[instance] |= PoolPlacement.mask(firstGpu, gpus);
    runningOn[instance]++;
  }

  void free(int instance, int firstGpu, int gpus) {
    taken[instance] &= ~PoolPlacement.mask(firstGpu, gpus);
    runningOn[instance]--;
    firstOpen = Math.min(firstOpen, instance);
  }

  void release(int instance, double nowS) {
    isReleased[instance] = true;
    releasedS[instance] = nowS;
    held--;
  }

  /**
   * Returns whether nothing runs on the instance.
   *
   * @param unreadyAreIdle whether an instance that is not ready counts as idle
   */
  boolean isIdle(int instance, boolean unreadyAreIdle) {
    return !isReleased[instance]
        && runningOn[instance] == 0
        && (isReady[instance] || unreadyAreIdle);
  }

  /** Adds the time since the last change on an instance to its work in a phase. */
  void account(int instance, int phase, double nowS) {
    double seconds = nowS - changedS[instance];
    if (runningOn[instance] > 0) {
      taskS += seconds * runningOn[instance];
      usedS[phase][instance] += seconds;
      busyS[phase][instance] += seconds * Long.bitCount(taken[instance]) / gpusPerInstance;
    }
    changedS[instance] = nowS;
  }

  /**
   * Returns the ready instance with the lowest number that has aligned free GPUs, or -1.
   *
   * @param most only so many held instances are used, from the lowest number on
   */
  int instanceFor(int gpus, int most) {
    while (firstOpen < taken.length && !isOpen(firstOpen)) {
      firstOpen++;
    }
    int used = most < held ? heldBelow(firstOpen) : 0;
    for (int i = firstOpen; i < taken.length && used < most; i++) {
      if (isOpen(i) && firstFree(i, gpus) >= 0) {
        return i;
      }
      used += isReleased[i] ? 0 : 1;
    }
    return -1;
  }

  private boolean isOpen(int instance) {
    return taken[instance] != allGpus && isReady[instance] && !isReleased[instance];
  }

  private int heldBelow(int instance) {
    int count = 0;
    for (int i = 0; i < instance; i++) {
      count += isReleased[i] ? 0 : 1;
    }
    return count;
  }

  int firstFree(int instance, int gpus) {
    return PoolPlacement.firstFree(taken[instance], gpus, gpusPerInstance);
  }
}
