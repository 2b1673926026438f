package io.elastune.simulator;

import io.elastune.core.allocation.FreeSlot;
import io.elastune.core.allocation.IdleInstance;
import java.util.Arrays;

/**
 * Runs the trials of one group in one sample: list scheduling over the slots (model.md, "Time").
 * Flat arrays, nothing is allocated after construction.
 */
final class GroupRun {
  private static final int NONE = -1;

  private final Teams teams;
  private final SlotHeap heap;
  private final int[] order;
  private final KeySorter sorter;
  private final KeySorter.Rule byFree;
  // By the team's rank: end of its last trial (the group's start if none), seconds of its trials.
  private final double[] teamEndS;
  private final double[] teamTrialS;
  // Where the sample's draws begin.
  private int x;
  private int startup;
  // How many teams of {@link #order} have had a trial.
  private int used;
  private double lastStartS;
  private double endS;

  /** For groups of up to {@code mostInstances} and {@code mostSlots}. */
  GroupRun(int mostInstances, int mostSlots) {
    teams = new Teams(mostInstances);
    heap = new SlotHeap(mostSlots);
    order = new int[mostInstances];
    sorter = new KeySorter(mostInstances);
    byFree = (a, b) -> FreeSlot.before(teams.freeS[a], a, teams.freeS[b], b);
    teamEndS = new double[mostInstances];
    teamTrialS = new double[mostInstances];
  }

  /**
   * Runs {@code step} on the instances that {@code cluster} holds, tells it what each did and when
   * it becomes idle, and returns when the last trial ends.
   */
  double run(Step step, Cluster cluster, double startS, int sample) {
    x = step.x().offset(sample);
    startup = step.startups().offset(sample);
    teams.form(step, cluster, startS);
    Arrays.fill(teamEndS, 0, teams.count(), startS);
    Arrays.fill(teamTrialS, 0, teams.count(), 0);
    endS = startS;
    orderByFree(startS);
    heap.clear();
    int started = fillWhileUnused(step, startS);
    if (started < step.trials()) {
      heap.order();
      reuse(step, started);
    }
    report(step, cluster);
    return endS;
  }

  /** The teams in the order in which list scheduling first comes to them. */
  private void orderByFree(double startS) {
    for (int i = 0; i < teams.count(); i++) {
      order[i] = i;
    }
    if (teams.latestS() > startS) {
      sorter.sort(order, teams.count(), teams.freeS, byFree);
    }
  }

  /**
   * Gives trials a slot of their own, team by team, as long as the next team is free before the
   * first trial ends. Most groups need no more. Returns how many have started.
   */
  private int fillWhileUnused(Step step, double startS) {
    double[] xs = step.x().values();
    double[] startups = step.startups().values();
    int trials = step.trials();
    int perTeam = step.perTeam();
    // Else no slot can get a second trial.
    boolean reused = trials > teams.count() * perTeam || teams.latestS() > startS;
    double firstEndS = Double.POSITIVE_INFINITY;
    int trial = 0;
    for (used = 0; used < teams.count() && trial < trials; used++) {
      int rank = order[used];
      double freeS = teams.freeS[rank];
      if (firstEndS <= freeS) {
        break;
      }
      double workS = step.workS() * teams.slowness[rank];
      double longestS = 0;
      double sumS = 0;
      int end = Math.min(trial + perTeam, trials);
      for (int slot = rank * perTeam; trial < end; slot++, trial++) {
        double lastsS = startups[startup + trial] + workS * xs[x + trial];
        longestS = Math.max(longestS, lastsS);
        sumS += lastsS;
        if (reused) {
          heap.append(freeS + lastsS, slot);
        }
        firstEndS = Math.min(firstEndS, freeS + lastsS);
      }
      teamEndS[rank] = freeS + longestS;
      teamTrialS[rank] = sumS;
      endS = Math.max(endS, teamEndS[rank]);
      lastStartS = freeS;
    }
    return trial;
  }

  /** List scheduling of the trials from {@code first} on: slots used before, and teams not yet. */
  private void reuse(Step step, int first) {
    int perTeam = step.perTeam();
    int taken = 0;
    for (int trial = first; trial < step.trials(); trial++) {
      int fresh = used < teams.count() ? order[used] * perTeam + taken : NONE;
      if (fresh != NONE
          && FreeSlot.before(
              teams.freeS[order[used]], fresh, heap.firstFreeS(), heap.firstRank())) {
        heap.add(start(step, trial, teams.freeS[order[used]], fresh), fresh);
        taken = (taken + 1) % perTeam;
        used += taken == 0 ? 1 : 0;
      } else {
        heap.occupyFirst(start(step, trial, heap.firstFreeS(), heap.firstRank()));
      }
    }
  }

  /** Notes that a trial starts on a slot, and returns when it ends. */
  private double start(Step step, int trial, double fromS, int slot) {
    int rank = slot / step.perTeam();
    double workS = step.workS() * teams.slowness[rank];
    double lastsS =
        step.startups().values()[startup + trial] + workS * step.x().values()[x + trial];
    double untilS = fromS + lastsS;
    teamEndS[rank] = Math.max(teamEndS[rank], untilS);
    teamTrialS[rank] += lastsS;
    lastStartS = fromS;
    endS = Math.max(endS, untilS);
    return untilS;
  }

  private void report(Step step, Cluster cluster) {
    for (int i = 0; i < cluster.held; i++) {
      cluster.idleS[cluster.active[i]] = lastStartS;
    }
    for (int rank = 0; rank < teams.count(); rank++) {
      if (teamTrialS[rank] == 0) {
        continue;
      }
      // A slot that is freed while trials wait gets one at once, and all slots of a team are free
      // from the same moment: so in between at least one trial runs on it all the time.
      double usedS = teamEndS[rank] - teams.freeS[rank];
      double busyS = teamTrialS[rank] * step.share();
      double idleS = IdleInstance.idleS(teamEndS[rank], lastStartS);
      for (int i = 0; i < teams.size(); i++) {
        int number = teams.member(rank, i);
        cluster.work(number, usedS, busyS);
        cluster.idleS[number] = idleS;
      }
    }
  }
}
