package io.elastune.simulator.group;

import io.elastune.core.allocation.FreeSlot;
import io.elastune.core.allocation.IdleInstance;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.instance.CompiledGroup;
import java.util.Arrays;
import java.util.Optional;

/**
 * Simulates the trials of one group in one sample by list scheduling over the slots (docs/model.md,
 * "Time"). It uses flat arrays and allocates nothing after construction, except where trials stay.
 *
 * <p>A slot that becomes free while trials wait gets one immediately, and all slots of a team are
 * free from the same time. A slot with trials is therefore busy from that time to the end of its
 * last trial. Only these two times are tracked per slot. A {@link Trace} receives every trial.
 */
final class GroupRun {
  /** Receives the trials of a group in trial order, which is the order of their starts. */
  interface Trace {
    /** Records that {@code trial} ran on {@code slot}. Times are in seconds. */
    void record(int trial, int slot, double startS, double endS);
  }

  private final Promotions promotions;
  private final Teams teams;
  private final SlotTree next;
  private final int[] order;
  private final KeySorter sorter;
  private final KeySorter.TieRule byFree;
  // By slot, numbered by team rank and then within the team: time at which it is free.
  private final double[] slotFreeS;
  // By slot: training seconds of a trial on it, without the trial's own factor.
  private final double[] slotWorkS;
  // By team rank: end of its last trial (start of its free time if none), seconds of its trials.
  private final double[] teamEndS;
  private final double[] teamTrialS;
  // By slot, if trials are traced: the end of its last trial.
  private final double[] slotEndS;
  // The draws of the current sample.
  private double[] xs = {};
  private double[] startups = {};
  private int x;
  private int startup;
  // By trial: a lower bound of the hazard until its first crash or hang.
  private double[] faults = {};
  private int fault;
  private double faultsPerS;
  private boolean hasFault;
  private double lossS;
  private double lastStartS;
  private double endS;
  private Trace trace = (trial, slot, fromS, toS) -> {};
  private boolean tracesAll;
  private boolean isTraced;
  // By trial, if it is traced or the place of its trials matters: its slot.
  private int[] slotOf = {};

  /**
   * Creates a simulation for groups with up to {@code mostInstances} and {@code mostSlots}.
   *
   * @param promotions the trials that continue between these groups
   */
  GroupRun(int mostInstances, int mostSlots, Promotions promotions) {
    this.promotions = promotions;
    teams = new Teams(mostInstances);
    next = new SlotTree(mostSlots);
    order = new int[mostInstances];
    sorter = new KeySorter(mostInstances);
    byFree = (a, b) -> FreeSlot.before(teams.freeS[a], a, teams.freeS[b], b);
    slotFreeS = new double[mostSlots];
    slotWorkS = new double[mostSlots];
    teamEndS = new double[mostInstances];
    teamTrialS = new double[mostInstances];
    slotEndS = new double[mostSlots];
  }

  /** Passes every trial to {@code recipient} from now on. */
  void traceTo(Trace recipient) {
    trace = recipient;
    tracesAll = true;
  }

  /** Returns the teams of the last group. */
  Teams teams() {
    return teams;
  }

  /** Readers of the draws of the trials of a group. */
  record GroupDraws(DrawReader xs, DrawReader startups, Optional<DrawReader> faults) {
    /**
     * Returns the readers of a group.
     *
     * @param hasFaults whether trials may crash or hang
     */
    static GroupDraws of(CompiledGroup group, boolean hasFaults) {
      return new GroupDraws(
          new DrawReader(group.x()),
          new DrawReader(group.startups()),
          hasFaults && group.hazards().attemptPerS() > 0
              ? Optional.of(new DrawReader(group.faults()))
              : Optional.empty());
    }
  }

  /**
   * Simulates {@code compiledGroup} on the instances of {@code cluster} without faults, and returns
   * the end of the last trial, or that of the search if this is earlier. {@link #end} must follow,
   * unless a fault may occur: then the simulation may end early, and its result has no meaning.
   *
   * @param firstLossS when the first of the instances is lost, if it is held so long
   * @param untilS when the search ends in any case; if this is finite, trials must be traced
   */
  double run(
      CompiledGroup compiledGroup,
      GroupDraws draws,
      Cluster cluster,
      double startS,
      double firstLossS,
      double untilS,
      int sample) {
    lossS = firstLossS;
    x = draws.xs().offset(sample);
    xs = draws.xs().values();
    startup = draws.startups().offset(sample);
    startups = draws.startups().values();
    hasFault = false;
    faultsPerS = draws.faults().isPresent() ? compiledGroup.hazards().attemptPerS() : 0;
    fault = draws.faults().isPresent() ? draws.faults().get().offset(sample) : x;
    faults = draws.faults().isPresent() ? draws.faults().get().values() : xs;
    teams.formTeams(compiledGroup, cluster, startS);
    endS = startS;
    lastStartS = startS;
    isTraced = tracesAll || compiledGroup.promotion().isPresent();
    if (isTraced && slotOf.length < compiledGroup.trials()) {
      slotOf = new int[compiledGroup.trials()];
    }
    Arrays.fill(slotEndS, 0, isTraced ? teams.count() * compiledGroup.perTeam() : 0, startS);
    if (!runAtHome(compiledGroup, cluster, startS)) {
      runInOrder(compiledGroup, startS);
    }
    if (endS > untilS) {
      truncate(compiledGroup.perTeam(), untilS);
    }
    return endS;
  }

  /**
   * Whether a trial may crash or hang, or an instance is lost, in the group that was simulated
   * last.
   */
  boolean hasFault() {
    return hasFault || lossS < endS;
  }

  /** Records the work and the idle times of the instances in the group that was simulated last. */
  void end(CompiledGroup compiledGroup, Cluster cluster, int sample) {
    report(compiledGroup, cluster);
    promotions.endGroup(compiledGroup, teams, slotOf, sample);
  }

  /** Handles groups whose trials start on the teams with the lowest numbers. */
  private void runInOrder(CompiledGroup compiledGroup, double startS) {
    if (compiledGroup.trials() <= teams.count() * compiledGroup.perTeam()
        && teams.latestS() <= startS) {
      runAtOnce(compiledGroup, startS);
      if (isTraced) {
        traceAtOnce(compiledGroup, startS);
      }
    } else {
      runInTurn(compiledGroup, startS);
    }
  }

  private void record(int trial, int slot, double fromS, double toS) {
    slotOf[trial] = slot;
    slotEndS[slot] = toS;
    trace.record(trial, slot, fromS, toS);
  }

  private double lastsS(double workS, int trial) {
    double seconds = startups[startup + trial] + workS * xs[x + trial];
    if (seconds * faultsPerS > faults[fault + trial]) {
      hasFault = true;
    }
    return seconds;
  }

  /**
   * Returns the later of two non-negative times; faster than Math.max, which handles NaN and -0.
   */
  private static double later(double a, double b) {
    return a > b ? a : b;
  }

  private static double earlier(double a, double b) {
    return a < b ? a : b;
  }

  /** Handles groups in which all teams are free and every trial has a slot. */
  private void runAtOnce(CompiledGroup compiledGroup, double startS) {
    int trial = 0;
    for (int rank = 0; rank < teams.count(); rank++) {
      int end = Math.min(trial + compiledGroup.perTeam(), compiledGroup.trials());
      runTogether(compiledGroup.workS(), rank, trial, end, startS);
      trial = end;
    }
  }

  /** Starts the trials from {@code first} to before {@code end} on a team at once. */
  private void runTogether(double meanWorkS, int rank, int first, int end, double startS) {
    double workS = meanWorkS * teams.slowness[rank];
    double longestS = 0;
    double sumS = 0;
    for (int trial = first; trial < end; trial++) {
      double lastsS = lastsS(workS, trial);
      longestS = later(longestS, lastsS);
      sumS += lastsS;
    }
    teamEndS[rank] = startS + longestS;
    teamTrialS[rank] = sumS;
    endS = later(endS, teamEndS[rank]);
  }

  /**
   * Handles groups whose trials start where they ran. Returns whether this is one: whether it has
   * more slots at its start than trials.
   */
  private boolean runAtHome(CompiledGroup compiledGroup, Cluster cluster, double startS) {
    int[] trialsOn = promotions.startGroup(compiledGroup, teams, cluster.firstNew, startS);
    int trial = 0;
    for (int rank = 0; rank < trialsOn.length; rank++) {
      int end = trial + trialsOn[rank];
      runTogether(compiledGroup.workS(), rank, trial, end, startS);
      double workS = compiledGroup.workS() * teams.slowness[rank];
      for (int slot = rank * compiledGroup.perTeam(); isTraced && trial < end; slot++, trial++) {
        record(trial, slot, startS, startS + lastsS(workS, trial));
      }
      trial = end;
    }
    return trialsOn.length > 0;
  }

  /** Repeats the loop of {@link #runAtOnce}, which stays free of the trace for speed. */
  private void traceAtOnce(CompiledGroup compiledGroup, double startS) {
    for (int trial = 0; trial < compiledGroup.trials(); trial++) {
      double workS = compiledGroup.workS() * teams.slowness[trial / compiledGroup.perTeam()];
      record(trial, trial, startS, startS + lastsS(workS, trial));
    }
  }

  /** Handles groups in which trials wait for slots or instances. */
  private void runInTurn(CompiledGroup compiledGroup, double startS) {
    for (int rank = 0; rank < teams.count(); rank++) {
      double freeS = teams.freeS[rank];
      double workS = compiledGroup.workS() * teams.slowness[rank];
      int end = (rank + 1) * compiledGroup.perTeam();
      for (int slot = rank * compiledGroup.perTeam(); slot < end; slot++) {
        slotFreeS[slot] = freeS;
        slotWorkS[slot] = workS;
      }
    }
    int started = fillWhileUnused(compiledGroup, startS);
    if (started < compiledGroup.trials() && !hasFault) {
      reuse(compiledGroup, started);
    }
    for (int rank = 0; rank < teams.count(); rank++) {
      sumUp(rank, compiledGroup.perTeam());
    }
  }

  /**
   * Assigns an unused slot to trials, team by team, as long as the next team is free before the
   * first trial ends. Returns the number of started trials.
   */
  private int fillWhileUnused(CompiledGroup compiledGroup, double startS) {
    orderByFree(startS);
    double firstEndS = Double.POSITIVE_INFINITY;
    int trial = 0;
    for (int used = 0; used < teams.count() && trial < compiledGroup.trials(); used++) {
      int rank = order[used];
      double freeS = teams.freeS[rank];
      if (firstEndS <= freeS) {
        break;
      }
      int end = Math.min(trial + compiledGroup.perTeam(), compiledGroup.trials());
      for (int slot = rank * compiledGroup.perTeam(); trial < end; slot++, trial++) {
        slotFreeS[slot] = freeS + lastsS(slotWorkS[slot], trial);
        firstEndS = earlier(firstEndS, slotFreeS[slot]);
        if (isTraced) {
          record(trial, slot, freeS, slotFreeS[slot]);
        }
      }
      lastStartS = freeS;
    }
    return trial;
  }

  /** Sorts the teams in the order in which list scheduling first uses them. */
  private void orderByFree(double startS) {
    for (int i = 0; i < teams.count(); i++) {
      order[i] = i;
    }
    if (teams.latestS() > startS) {
      sorter.sort(order, teams.count(), teams.freeS, byFree);
    }
  }

  /** Schedules the trials from {@code first} on. */
  private void reuse(CompiledGroup compiledGroup, int first) {
    next.build(slotFreeS, teams.count() * compiledGroup.perTeam());
    if (isTraced) {
      for (int trial = first; trial < compiledGroup.trials(); trial++) {
        int slot = next.first();
        reuseOne(trial);
        record(trial, slot, lastStartS, slotFreeS[slot]);
      }
      return;
    }
    // The loop of most of the time. Without optimizing compiler, fields and calls would cost as
    // much
    // as the rest.
    double[] factors = xs;
    double[] waits = startups;
    double[] bounds = faults;
    double perS = faultsPerS;
    double atS = lastStartS;
    double untilLossS = lossS;
    int trials = compiledGroup.trials();
    for (int trial = first; trial < trials; trial++) {
      int slot = next.first();
      atS = next.firstFreeS();
      double seconds = waits[startup + trial] + slotWorkS[slot] * factors[x + trial];
      if (seconds * perS > bounds[fault + trial] || atS > untilLossS) {
        hasFault = true;
        break;
      }
      slotFreeS[slot] = atS + seconds;
      next.occupyFirst(atS + seconds);
    }
    lastStartS = atS;
  }

  private void reuseOne(int trial) {
    int slot = next.first();
    lastStartS = next.firstFreeS();
    double untilS = lastStartS + lastsS(slotWorkS[slot], trial);
    slotFreeS[slot] = untilS;
    next.occupyFirst(untilS);
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

  /** Ends all trials at {@code untilS}. Until then, a slot with trials is never free. */
  private void truncate(int perTeam, double untilS) {
    for (int rank = 0; rank < teams.count(); rank++) {
      double freeS = teams.freeS[rank];
      teamEndS[rank] = freeS;
      teamTrialS[rank] = 0;
      for (int slot = rank * perTeam; slot < (rank + 1) * perTeam; slot++) {
        double slotS = Math.max(0, earlier(slotEndS[slot], untilS) - freeS);
        teamTrialS[rank] += slotS;
        teamEndS[rank] = later(teamEndS[rank], freeS + slotS);
      }
    }
    lastStartS = earlier(lastStartS, untilS);
    endS = untilS;
  }

  private void report(CompiledGroup compiledGroup, Cluster cluster) {
    for (int i = 0; i < cluster.held; i++) {
      cluster.idleS[cluster.active[i]] = lastStartS;
    }
    for (int rank = 0; rank < teams.count(); rank++) {
      if (teamTrialS[rank] == 0) {
        continue;
      }
      double usedS = teamEndS[rank] - teams.freeS[rank];
      double busyS = teamTrialS[rank] * compiledGroup.share();
      double idleS = IdleInstance.idleS(teamEndS[rank], lastStartS);
      for (int i = 0; i < teams.size(); i++) {
        int number = teams.member(rank, i);
        cluster.recordWork(number, usedS, busyS);
        cluster.idleS[number] = idleS;
      }
    }
  }
}
