package io.elastune.simulator;

import io.elastune.core.allocation.FreeSlot;
import io.elastune.core.allocation.IdleInstance;
import java.util.Arrays;

/**
 * Runs the trials of one group in one sample: list scheduling over the slots (model.md, "Time").
 * Flat arrays, nothing is allocated after construction.
 */
final class GroupRun {
  private final Teams teams;
  private final SlotHeap heap;
  private final int[] order;
  private final IntSorter sorter;
  private final IntSorter.Order byFree;
  // By the team's rank: end of its last trial (the group's start if none), seconds of its trials.
  private final double[] teamEndS;
  private final double[] teamTrialS;
  private double lastStartS;
  private double endS;

  /** For groups of up to {@code mostInstances} and {@code mostSlots}. */
  GroupRun(int mostInstances, int mostSlots) {
    teams = new Teams(mostInstances);
    heap = new SlotHeap(mostSlots);
    order = new int[mostInstances];
    sorter = new IntSorter(mostInstances);
    byFree = (a, b) -> FreeSlot.before(teams.freeS[a], a, teams.freeS[b], b);
    teamEndS = new double[mostInstances];
    teamTrialS = new double[mostInstances];
  }

  /**
   * Runs {@code step} on the instances that {@code cluster} holds, tells it what each did and when
   * it becomes idle, and returns when the last trial ends.
   */
  double run(Step step, Cluster cluster, double startS, int sample) {
    int x = step.x().offset(sample);
    int startup = step.startups().offset(sample);
    teams.form(step, cluster, startS);
    if (!fill(step, x, startup, startS)) {
      queue(step, x, startup, startS);
    }
    report(step, cluster);
    return endS;
  }

  private void restart(double startS) {
    Arrays.fill(teamEndS, 0, teams.count(), startS);
    Arrays.fill(teamTrialS, 0, teams.count(), 0);
    endS = startS;
  }

  /**
   * Gives every trial a slot of its own, if each slot needed is free before the first trial ends;
   * else returns false. That is what list scheduling comes to in this case.
   */
  private boolean fill(Step step, int x, int startup, double startS) {
    int trials = step.trials();
    if (trials > teams.count() * step.perTeam()) {
      return false;
    }
    restart(startS);
    boolean allAtStart = teams.latestS() == startS;
    if (!allAtStart) {
      orderByFree();
    }
    double[] xs = step.x().values();
    double[] startups = step.startups().values();
    double firstEndS = Double.POSITIVE_INFINITY;
    int next = 0;
    for (int i = 0; next < trials; i++) {
      int rank = allAtStart ? i : order[i];
      double freeS = teams.freeS[rank];
      if (firstEndS <= freeS) {
        return false;
      }
      double longestS = 0;
      double sumS = 0;
      int end = Math.min(next + step.perTeam(), trials);
      for (; next < end; next++) {
        double lastsS = startups[startup + next] + step.workS() * xs[x + next];
        longestS = Math.max(longestS, lastsS);
        firstEndS = Math.min(firstEndS, freeS + lastsS);
        sumS += lastsS;
      }
      teamEndS[rank] = freeS + longestS;
      teamTrialS[rank] = sumS;
      endS = Math.max(endS, teamEndS[rank]);
      lastStartS = freeS;
    }
    return true;
  }

  private void orderByFree() {
    for (int i = 0; i < teams.count(); i++) {
      order[i] = i;
    }
    sorter.sort(order, teams.count(), byFree);
  }

  private void queue(Step step, int x, int startup, double startS) {
    restart(startS);
    heap.clear();
    int perTeam = step.perTeam();
    for (int rank = 0; rank < teams.count(); rank++) {
      for (int slot = 0; slot < perTeam; slot++) {
        heap.add(teams.freeS[rank], rank * perTeam + slot);
      }
    }
    if (teams.latestS() > startS) {
      heap.order();
    }
    double[] xs = step.x().values();
    double[] startups = step.startups().values();
    for (int trial = 0; trial < step.trials(); trial++) {
      lastStartS = heap.firstFreeS();
      double lastsS = startups[startup + trial] + step.workS() * xs[x + trial];
      double untilS = lastStartS + lastsS;
      int rank = perTeam == 1 ? heap.firstRank() : heap.firstRank() / perTeam;
      heap.occupyFirst(untilS);
      teamEndS[rank] = Math.max(teamEndS[rank], untilS);
      teamTrialS[rank] += lastsS;
      endS = Math.max(endS, untilS);
    }
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
