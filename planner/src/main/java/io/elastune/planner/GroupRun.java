package io.elastune.planner;

import io.elastune.core.allocation.IdleInstance;
import io.elastune.core.allocation.TeamMember;
import java.util.Arrays;

/**
 * One group of a chain on given instances, by the rules of the simulator with every draw at its
 * mean (model.md, "Time" and "Money"). As all trials of a group then last equally long, units (an
 * instance, or a team of instances) come free in the order in which they were filled: a queue does
 * for list scheduling.
 *
 * <p>Reused for speed: {@link #run} overwrites what the call before it left. Not thread-safe.
 */
final class GroupRun {
  private final ChainModel model;
  private Held held = Held.NOTHING;
  private Rental rental;
  private int instances;
  private double endS;
  private double costUsd;
  private double[] runningS = new double[0];
  private double[] readyS = new double[0];
  private double[] usedS = new double[0];
  private double[] idleS = new double[0];
  private double[] nextS = new double[0];
  private int[] member = new int[0];
  private int[] lowest = new int[0];
  private int[] fills = new int[0];
  private int[] fresh = new int[0];
  private int[] queue = new int[0];
  private int[] releases = new int[0];
  private boolean releasesKnown;

  GroupRun(ChainModel model) {
    this.model = model;
    this.rental = model.menu().rentals().get(0);
  }

  /**
   * Runs {@code group} from {@code before}; of the size's rental as many instances are requested as
   * are missing.
   */
  void run(Held before, int group, Size size, int count) {
    held = before;
    rental = size.rental();
    instances = count;
    releasesKnown = false;
    grow();
    acquire();
    int units = formUnits(size);
    schedule(units, group, size);
  }

  /** How long a run takes, in steps: one for a small cluster and few trials. */
  static long steps(Size size, int trials, int count) {
    return 1L + (count + trials / size.perTeam()) / 64;
  }

  private void grow() {
    if (runningS.length < instances) {
      int length = Math.max(instances, 2 * runningS.length);
      runningS = new double[length];
      readyS = new double[length];
      usedS = new double[length];
      idleS = new double[length];
      nextS = new double[length];
      member = new int[length];
      lowest = new int[length];
      fills = new int[length];
      fresh = new int[length];
      queue = new int[length];
      releases = new int[length];
    }
  }

  private void acquire() {
    int have = held.count();
    System.arraycopy(held.runningS(), 0, runningS, 0, have);
    System.arraycopy(held.readyS(), 0, readyS, 0, have);
    System.arraycopy(held.usedS(), 0, usedS, 0, have);
    Arrays.fill(runningS, have, instances, held.timeS() + rental.runningAfterS());
    Arrays.fill(readyS, have, instances, held.timeS() + rental.readyAfterS());
    Arrays.fill(usedS, have, instances, 0);
    costUsd = held.costUsd() + (instances - have) * rental.offer().dataInUsd();
  }

  /** Members of each team side by side in {@code member}; the rest takes no trial. */
  private int formUnits(Size size) {
    for (int i = 0; i < instances; i++) {
      int at = i;
      while (size.team() > 1
          && at > 0
          && TeamMember.before(readyS[i], i, readyS[member[at - 1]], member[at - 1])) {
        member[at] = member[at - 1];
        at--;
      }
      member[at] = i;
    }
    int units = instances / size.team();
    for (int unit = 0; unit < units; unit++) {
      nextS[unit] = held.timeS();
      lowest[unit] = Integer.MAX_VALUE;
      fills[unit] = 0;
      for (int m = unit * size.team(); m < (unit + 1) * size.team(); m++) {
        nextS[unit] = Math.max(nextS[unit], readyS[member[m]]);
        lowest[unit] = Math.min(lowest[unit], member[m]);
      }
      int at = unit;
      while (at > 0 && earlier(unit, fresh[at - 1])) {
        fresh[at] = fresh[at - 1];
        at--;
      }
      fresh[at] = unit;
    }
    return units;
  }

  private boolean earlier(int unit, int other) {
    return nextS[unit] < nextS[other]
        || (nextS[unit] == nextS[other] && lowest[unit] < lowest[other]);
  }

  private void schedule(int units, int group, Size size) {
    double trialS = model.trialS(group, size);
    int waiting = model.trials(group);
    double lastStartS = held.timeS();
    int unfilled = 0;
    int head = 0;
    int queued = 0;
    while (waiting > 0) {
      int unit;
      if (unfilled < units && (queued == 0 || earlier(fresh[unfilled], queue[head]))) {
        unit = fresh[unfilled++];
      } else {
        unit = queue[head];
        head = head + 1 == units ? 0 : head + 1;
        queued--;
      }
      lastStartS = nextS[unit];
      nextS[unit] += trialS;
      fills[unit]++;
      waiting -= size.perTeam();
      int tail = head + queued;
      queue[tail >= units ? tail - units : tail] = unit;
      queued++;
    }
    finish(units, group, size, lastStartS);
  }

  private void finish(int units, int group, Size size, double lastStartS) {
    Arrays.fill(idleS, 0, instances, lastStartS);
    endS = lastStartS;
    int mostFills = 0;
    for (int unit = 0; unit < units; unit++) {
      if (fills[unit] == 0) {
        continue;
      }
      double lastEndS = nextS[unit] + model.delayS(group, size, fills[unit], size.perTeam());
      endS = Math.max(endS, nextS[unit]);
      mostFills = Math.max(mostFills, fills[unit]);
      for (int m = unit * size.team(); m < (unit + 1) * size.team(); m++) {
        idleS[member[m]] = IdleInstance.idleS(lastEndS, lastStartS);
        usedS[member[m]] += fills[unit] * model.trialS(group, size);
      }
    }
    int atOnce = Math.min(units * size.perTeam(), model.trials(group));
    endS += model.delayS(group, size, mostFills, atOnce);
  }

  /** When the group ends. */
  double endS() {
    return endS;
  }

  /** The instance that is let go as number {@code position}, from 0, if that many are. */
  int released(int position) {
    orderReleases();
    return releases[position];
  }

  /** When an instance is idle. */
  double idleS(int instance) {
    return idleS[instance];
  }

  /** When an instance is ready. */
  double readyS(int instance) {
    return readyS[instance];
  }

  /** Seconds in which a trial ran on an instance, this group and earlier ones. */
  double usedS(int instance) {
    return usedS[instance];
  }

  /** What is held when {@code surplus} instances are let go, each when it is idle. */
  Held release(int surplus) {
    double spentUsd = costUsd;
    orderReleases();
    for (int i = 0; i < surplus; i++) {
      spentUsd += leaseUsd(releases[i], idleS[releases[i]]);
    }
    int kept = instances - surplus;
    if (kept == 0) {
      return Held.none(endS, spentUsd);
    }
    double[] running = new double[kept];
    double[] ready = new double[kept];
    double[] used = new double[kept];
    int[] left = Arrays.copyOfRange(releases, surplus, instances);
    Arrays.sort(left);
    for (int i = 0; i < kept; i++) {
      running[i] = runningS[left[i]];
      ready[i] = readyS[left[i]];
      used[i] = usedS[left[i]];
    }
    return new Held(endS, spentUsd, rental.index(), running, ready, used);
  }

  /** What a cluster that held everything to the end has cost. */
  double heldToTheEndUsd() {
    double spentUsd = costUsd;
    for (int i = 0; i < instances; i++) {
      spentUsd += leaseUsd(i, endS);
    }
    return spentUsd;
  }

  private double leaseUsd(int i, double releasedS) {
    return rental.leaseUsd(runningS[i], releasedS, usedS[i]);
  }

  private void orderReleases() {
    if (releasesKnown) {
      return;
    }
    releasesKnown = true;
    // From the highest number down: mostly the order already.
    for (int n = 0; n < instances; n++) {
      int i = instances - 1 - n;
      int at = n;
      while (at > 0 && releasedBefore(i, releases[at - 1])) {
        releases[at] = releases[at - 1];
        at--;
      }
      releases[at] = i;
    }
  }

  private boolean releasedBefore(int a, int b) {
    return IdleInstance.before(
        idleS[a], readyS[a] <= idleS[a], a, idleS[b], readyS[b] <= idleS[b], b);
  }
}
