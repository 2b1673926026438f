package io.elastune.simulator;

import io.elastune.core.allocation.IdleInstance;
import java.util.Arrays;

/**
 * What one trial group did in one sample, trial by trial: the same list scheduling as {@link
 * GroupRun}, without its short cuts, so that every trial's slot is known. Arrays are indexed by
 * trial; times in seconds from the start of the plan.
 */
final class GroupTrace {
  /** No trial came before on that slot. */
  static final int NONE = -1;

  final Step step;

  /** The instances that trials ran on. */
  final Teams teams;

  /** When each trial started. */
  final double[] startS;

  /** When each ended. */
  final double[] endS;

  /** Seconds that each took to start up. */
  final double[] startupS;

  /** The trial that ran before it on its slot, or {@link #NONE}. */
  final int[] before;

  private final int[] slot;
  private final int[] lastOnSlot;
  private final double[] teamEndS;
  private final SlotTree next;
  private final double[] slotFreeS;
  private final DrawReader xs;
  private final DrawReader startups;
  private double groupStartS;
  private double groupEndS;

  /** A trace of {@code step} in a chain that requests up to {@code mostInstances}. */
  GroupTrace(Step step, int mostInstances) {
    this.step = step;
    int slots = step.teams() * step.perTeam();
    teams = new Teams(mostInstances);
    next = new SlotTree(slots);
    slotFreeS = new double[slots];
    xs = new DrawReader(step.x());
    startups = new DrawReader(step.startups());
    lastOnSlot = new int[slots];
    teamEndS = new double[step.teams()];
    startS = new double[step.trials()];
    endS = new double[step.trials()];
    startupS = new double[step.trials()];
    before = new int[step.trials()];
    slot = new int[step.trials()];
  }

  /**
   * Runs the group on the instances that {@code cluster} holds, and tells it when each becomes
   * idle.
   */
  void run(Cluster cluster, double fromS, int sample) {
    groupStartS = fromS;
    teams.form(step, cluster, fromS);
    for (int number = 0; number < lastOnSlot.length; number++) {
      lastOnSlot[number] = NONE;
      slotFreeS[number] = teams.freeS[number / step.perTeam()];
    }
    next.form(slotFreeS, slotFreeS.length);
    Arrays.fill(teamEndS, fromS);
    groupEndS = fromS;
    int x = xs.offset(sample);
    int startup = startups.offset(sample);
    for (int trial = 0; trial < step.trials(); trial++) {
      startupS[trial] = startups.values()[startup + trial];
      start(trial, xs.values()[x + trial]);
    }
    tellIdle(cluster);
  }

  private void start(int trial, double factor) {
    slot[trial] = next.first();
    startS[trial] = next.firstFreeS();
    double workS = step.workS() * teams.slowness[team(trial)];
    endS[trial] = startS[trial] + (startupS[trial] + workS * factor);
    before[trial] = lastOnSlot[slot[trial]];
    lastOnSlot[slot[trial]] = trial;
    next.occupyFirst(endS[trial]);
    teamEndS[team(trial)] = Math.max(teamEndS[team(trial)], endS[trial]);
    groupEndS = Math.max(groupEndS, endS[trial]);
  }

  private void tellIdle(Cluster cluster) {
    for (int i = 0; i < cluster.held; i++) {
      cluster.idleS[cluster.active[i]] = IdleInstance.idleS(groupStartS, lastStartS());
    }
    for (int rank = 0; rank < teams.count(); rank++) {
      for (int i = 0; i < teams.size(); i++) {
        cluster.idleS[teams.member(rank, i)] = IdleInstance.idleS(teamEndS[rank], lastStartS());
      }
    }
  }

  /** When the group started. */
  double groupStartS() {
    return groupStartS;
  }

  /** When its last trial ended. */
  double groupEndS() {
    return groupEndS;
  }

  /** The trial that started last: trials start in their order. */
  int lastStarted() {
    return step.trials() - 1;
  }

  private double lastStartS() {
    return startS[lastStarted()];
  }

  /** The first of the trials that end when the group does. */
  int lastEnded() {
    int trial = 0;
    while (endS[trial] < groupEndS) {
      trial++;
    }
    return trial;
  }

  /** The rank of the team that a trial ran on. */
  int team(int trial) {
    return slot[trial] / step.perTeam();
  }

  /** Whether no other trial came after it on its slot. */
  boolean isLastOnSlot(int trial) {
    return lastOnSlot[slot[trial]] == trial;
  }

  /** The seconds by which a trial took longer than start-up and work at its mean; or shorter. */
  double stragglingS(int trial) {
    return endS[trial] - startS[trial] - startupS[trial] - step.workS();
  }
}
