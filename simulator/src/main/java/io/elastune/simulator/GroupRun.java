package io.elastune.simulator;

import io.elastune.core.allocation.FreeSlot;
import io.elastune.core.allocation.IdleInstance;

/**
 * Runs the trials of one group in one sample: list scheduling over the slots (model.md, "Time").
 * Flat arrays, nothing is allocated after construction.
 *
 * <p>A slot that is freed while trials wait gets one at once, and all slots of a team are free from
 * the same moment. So a slot that takes trials is busy from that moment to the end of its last one,
 * and only those two need to be known of it.
 */
final class GroupRun {
  private final Teams teams;
  private final SlotTree next;
  private final int[] order;
  private final KeySorter sorter;
  private final KeySorter.Rule byFree;
  // By slot, numbered by team rank and then within the team: when it is free for another trial.
  private final double[] slotFreeS;
  // By slot: seconds of work of a trial on it, without the trial's own spread.
  private final double[] slotWorkS;
  // By the team's rank: end of its last trial (free from the start if none), seconds of its trials.
  private final double[] teamEndS;
  private final double[] teamTrialS;
  // The draws of the sample under way.
  private double[] xs = {};
  private double[] startups = {};
  private int x;
  private int startup;
  private double lastStartS;
  private double endS;

  /** For groups of up to {@code mostInstances} and {@code mostSlots}. */
  GroupRun(int mostInstances, int mostSlots) {
    teams = new Teams(mostInstances);
    next = new SlotTree(mostSlots);
    order = new int[mostInstances];
    sorter = new KeySorter(mostInstances);
    byFree = (a, b) -> FreeSlot.before(teams.freeS[a], a, teams.freeS[b], b);
    slotFreeS = new double[mostSlots];
    slotWorkS = new double[mostSlots];
    teamEndS = new double[mostInstances];
    teamTrialS = new double[mostInstances];
  }

  /**
   * Runs {@code step} on the instances that {@code cluster} holds, tells it what each did and when
   * it becomes idle, and returns when the last trial ends.
   */
  double run(
      Step step,
      DrawReader xReader,
      DrawReader startupReader,
      Cluster cluster,
      double startS,
      int sample) {
    x = xReader.offset(sample);
    xs = xReader.values();
    startup = startupReader.offset(sample);
    startups = startupReader.values();
    teams.form(step, cluster, startS);
    endS = startS;
    lastStartS = startS;
    if (step.trials() <= teams.count() * step.perTeam() && teams.latestS() <= startS) {
      runAtOnce(step, startS);
    } else {
      runInTurn(step, startS);
    }
    report(step, cluster);
    return endS;
  }

  private double lastsS(double workS, int trial) {
    return startups[startup + trial] + workS * xs[x + trial];
  }

  /** The greater of two times, which are numbers and not negative: Math.max allows for more. */
  private static double later(double a, double b) {
    return a > b ? a : b;
  }

  private static double earlier(double a, double b) {
    return a < b ? a : b;
  }

  /** All teams are free and there is a slot for every trial. */
  private void runAtOnce(Step step, double startS) {
    int trial = 0;
    for (int rank = 0; rank < teams.count(); rank++) {
      int end = Math.min(trial + step.perTeam(), step.trials());
      double workS = step.workS() * teams.slowness[rank];
      double longestS = 0;
      double sumS = 0;
      for (; trial < end; trial++) {
        double lastsS = lastsS(workS, trial);
        longestS = later(longestS, lastsS);
        sumS += lastsS;
      }
      teamEndS[rank] = startS + longestS;
      teamTrialS[rank] = sumS;
      endS = later(endS, teamEndS[rank]);
    }
  }

  /** Trials wait for slots, or for instances. */
  private void runInTurn(Step step, double startS) {
    for (int rank = 0; rank < teams.count(); rank++) {
      double freeS = teams.freeS[rank];
      double workS = step.workS() * teams.slowness[rank];
      int end = (rank + 1) * step.perTeam();
      for (int slot = rank * step.perTeam(); slot < end; slot++) {
        slotFreeS[slot] = freeS;
        slotWorkS[slot] = workS;
      }
    }
    int started = fillWhileUnused(step, startS);
    if (started < step.trials()) {
      reuse(step, started);
    }
    for (int rank = 0; rank < teams.count(); rank++) {
      sumUp(rank, step.perTeam());
    }
  }

  /**
   * Gives trials a slot of their own, team by team, as long as the next team is free before the
   * first trial ends. Returns how many have started.
   */
  private int fillWhileUnused(Step step, double startS) {
    orderByFree(startS);
    double firstEndS = Double.POSITIVE_INFINITY;
    int trial = 0;
    for (int used = 0; used < teams.count() && trial < step.trials(); used++) {
      int rank = order[used];
      double freeS = teams.freeS[rank];
      if (firstEndS <= freeS) {
        break;
      }
      int end = Math.min(trial + step.perTeam(), step.trials());
      for (int slot = rank * step.perTeam(); trial < end; slot++, trial++) {
        slotFreeS[slot] = freeS + lastsS(slotWorkS[slot], trial);
        firstEndS = earlier(firstEndS, slotFreeS[slot]);
      }
      lastStartS = freeS;
    }
    return trial;
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

  /** List scheduling of the trials from {@code first} on. */
  private void reuse(Step step, int first) {
    next.form(slotFreeS, teams.count() * step.perTeam());
    for (int trial = first; trial < step.trials(); trial++) {
      int slot = next.first();
      lastStartS = next.firstFreeS();
      double untilS = lastStartS + lastsS(slotWorkS[slot], trial);
      slotFreeS[slot] = untilS;
      next.occupyFirst(untilS);
    }
  }

  private void sumUp(int rank, int perTeam) {
    double freeS = teams.freeS[rank];
    double lastEndS = freeS;
    double sumS = 0;
    for (int slot = rank * perTeam; slot < (rank + 1) * perTeam; slot++) {
      lastEndS = later(lastEndS, slotFreeS[slot]);
      sumS += slotFreeS[slot] - freeS;
    }
    teamEndS[rank] = lastEndS;
    teamTrialS[rank] = sumS;
    if (sumS > 0) {
      endS = later(endS, lastEndS);
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
