package io.elastune.simulator;

import io.elastune.core.search.PoolGroup;
import io.elastune.core.search.PoolRules;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/** A chain that shares instances with others, in one sample with faults. */
final class FaultyPoolChain {
  final int index;
  private final List<PoolGroup> groups;
  private final int gpusPerInstance;
  private final int firstGroup;
  private final IntFunction<FaultyTrials> trialsOf;
  private final BitSet waiting = new BitSet();
  private int waitingCount;
  private int present = -1;
  private int unfinished;
  private FaultyTrials trials;
  private double pathS;
  private double laterGpus;

  /**
   * Creates the chain in its first group.
   *
   * @param firstGroup the index of its first group among those of all chains
   * @param trialsOf returns the trials of a group by its index among those of all chains
   */
  FaultyPoolChain(
      int index,
      List<PoolGroup> groups,
      int gpusPerInstance,
      int firstGroup,
      IntFunction<FaultyTrials> trialsOf) {
    this.index = index;
    this.groups = groups;
    this.gpusPerInstance = gpusPerInstance;
    this.firstGroup = firstGroup;
    this.trialsOf = trialsOf;
    this.trials = trialsOf.apply(firstGroup);
    beginNext();
  }

  /** Begins the next group, if there is one. */
  private void beginNext() {
    present++;
    if (isActive()) {
      trials = trialsOf.apply(group());
      unfinished = groups.get(present).trials();
      waiting.set(0, unfinished);
      waitingCount = unfinished;
      pathS = PoolRules.pathS(groups.subList(present, groups.size()));
      laterGpus = PoolRules.demandGpus(groups.subList(present + 1, groups.size()), gpusPerInstance);
    }
  }

  /** Whether it has a group in progress. */
  boolean isActive() {
    return present < groups.size();
  }

  /** Returns the index of its group in progress among those of all chains. */
  int group() {
    return firstGroup + present;
  }

  /** Returns the trials of the group in progress. */
  FaultyTrials trials() {
    return trials;
  }

  /** Returns the GPUs of a trial of the group in progress. */
  int gpus() {
    return groups.get(present).gpus();
  }

  int waitingCount() {
    return waitingCount;
  }

  /** Takes the first waiting trial. */
  int takeFirst() {
    int trial = waiting.nextSetBit(0);
    waiting.clear(trial);
    waitingCount--;
    return trial;
  }

  /** Lets a trial wait again. */
  void await(int trial) {
    waiting.set(trial);
    waitingCount++;
  }

  /** Records that a trial has ended; returns whether it was the last one of its group. */
  boolean completeOne() {
    unfinished--;
    if (unfinished > 0) {
      return false;
    }
    beginNext();
    return true;
  }

  /** Returns the GPUs that it needs at once from now on. */
  double demandGpus() {
    return isActive()
        ? Math.max(
            PoolRules.demandGpus(groups.get(present), unfinished, gpusPerInstance), laterGpus)
        : 0;
  }

  /** Ends the group in progress and all later ones. */
  void endAt(double nowS, double[] endS) {
    if (isActive()) {
      Arrays.fill(endS, group(), firstGroup + groups.size(), nowS);
    }
  }

  /** Compares by the order in which chains are served. */
  int compareTo(FaultyPoolChain other) {
    if (index == other.index) {
      return 0;
    }
    return PoolRules.goesFirst(pathS, index, other.pathS, other.index) ? -1 : 1;
  }
}
