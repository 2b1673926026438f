package io.elastune.simulator;

import io.elastune.core.allocation.IdleInstance;
import java.util.Arrays;

/**
 * Simulates one trial group in one sample and records every trial. It uses the same list scheduling
 * as {@link GroupRun}, without its shortcuts, so that the slot of every trial is known. Arrays are
 * indexed by trial. Times are in seconds from the start of the plan.
 */
final class GroupTrace {
  /** Marks the first trial on a slot. */
  static final int NONE = -1;

  final CompiledGroup step;

  /** The teams of instances on which the trials ran. */
  final Teams teams;

  /** Start of each trial. */
  final double[] startS;

  /** End of each trial. */
  final double[] endS;

  /** Start-up seconds of each trial. */
  final double[] startupS;

  /** The previous trial on the same slot, or {@link #NONE}. */
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

  /**
   * Creates a trace of {@code compiledGroup} in a chain that requests up to {@code mostInstances}.
   */
  GroupTrace(CompiledGroup compiledGroup, int mostInstances) {
    this.step = compiledGroup;
    int slots = compiledGroup.teams() * compiledGroup.perTeam();
    teams = new Teams(mostInstances);
    next = new SlotTree(slots);
    slotFreeS = new double[slots];
    xs = new DrawReader(compiledGroup.x());
    startups = new DrawReader(compiledGroup.startups());
    lastOnSlot = new int[slots];
    teamEndS = new double[compiledGroup.teams()];
    startS = new double[compiledGroup.trials()];
    endS = new double[compiledGroup.trials()];
    startupS = new double[compiledGroup.trials()];
    before = new int[compiledGroup.trials()];
    slot = new int[compiledGroup.trials()];
  }

  /** Simulates the group on the instances of {@code cluster} and records their idle times in it. */
  void run(Cluster cluster, double fromS, int sample) {
    groupStartS = fromS;
    teams.formTeams(step, cluster, fromS);
    for (int number = 0; number < lastOnSlot.length; number++) {
      lastOnSlot[number] = NONE;
      slotFreeS[number] = teams.freeS[number / step.perTeam()];
    }
    next.build(slotFreeS, slotFreeS.length);
    Arrays.fill(teamEndS, fromS);
    groupEndS = fromS;
    int x = xs.offset(sample);
    int startup = startups.offset(sample);
    for (int trial = 0; trial < step.trials(); trial++) {
      startupS[trial] = startups.values()[startup + trial];
      start(trial, xs.values()[x + trial]);
    }
    recordIdle(cluster);
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

  private void recordIdle(Cluster cluster) {
    for (int i = 0; i < cluster.held; i++) {
      cluster.idleS[cluster.active[i]] = IdleInstance.idleS(groupStartS, lastStartS());
    }
    for (int rank = 0; rank < teams.count(); rank++) {
      for (int i = 0; i < teams.size(); i++) {
        cluster.idleS[teams.member(rank, i)] = IdleInstance.idleS(teamEndS[rank], lastStartS());
      }
    }
  }

  /** Returns the start of the group. */
  double groupStartS() {
    return groupStartS;
  }

  /** Returns the end of its last trial. */
  double groupEndS() {
    return groupEndS;
  }

  /** Returns the trial that started last; trials start in trial order. */
  int lastStarted() {
    return step.trials() - 1;
  }

  private double lastStartS() {
    return startS[lastStarted()];
  }

  /** Returns the first of the trials that end at the end of the group. */
  int lastEnded() {
    int trial = 0;
    while (endS[trial] < groupEndS) {
      trial++;
    }
    return trial;
  }

  /** Returns the rank of the team on which a trial ran. */
  int team(int trial) {
    return slot[trial] / step.perTeam();
  }

  /** Returns whether a trial is the last one on its slot. */
  boolean isLastOnSlot(int trial) {
    return lastOnSlot[slot[trial]] == trial;
  }

  /**
   * Returns the seconds by which a trial took longer than start-up and mean training time; may be
   * negative.
   */
  double stragglingS(int trial) {
    return endS[trial] - startS[trial] - startupS[trial] - step.workS();
  }
}
