package io.elastune.simulator.group;

import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.instance.CompiledGroup;
import java.util.Arrays;

/**
 * Simulates one trial group in one sample with {@link GroupRun} and records every trial. Arrays are
 * indexed by trial. Times are in seconds from the start of the plan.
 */
public final class GroupTrace implements GroupRun.Trace {
  /** Marks the first trial on a slot. */
  static final int NONE = -1;

  public final CompiledGroup step;

  /** The teams of instances on which the trials ran. */
  final Teams teams;

  /** Start of each trial. */
  final double[] startS;

  /** End of each trial. */
  final double[] endS;

  /** Start-up seconds of each trial. */
  public final double[] startupS;

  /** The previous trial on the same slot, or {@link #NONE}. */
  final int[] before;

  private final int[] slot;
  private final int[] lastOnSlot;
  private final GroupRun run;
  private final GroupRun.GroupDraws draws;
  private final DrawReader tornCounts;
  private double groupStartS;
  private double groupEndS;
  private double targetS;

  /**
   * Creates a trace of {@code compiledGroup} in a chain that requests up to {@code mostInstances}.
   *
   * @param promotions the trials that continue between the groups of the plan
   */
  GroupTrace(CompiledGroup compiledGroup, int mostInstances, Promotions promotions) {
    this.step = compiledGroup;
    int slots = compiledGroup.teams() * compiledGroup.perTeam();
    run = new GroupRun(mostInstances, slots, promotions);
    run.traceTo(this);
    teams = run.teams();
    draws = GroupRun.GroupDraws.of(compiledGroup, false);
    tornCounts = new DrawReader(compiledGroup.tornCounts());
    lastOnSlot = new int[slots];
    startS = new double[compiledGroup.trials()];
    endS = new double[compiledGroup.trials()];
    startupS = new double[compiledGroup.trials()];
    before = new int[compiledGroup.trials()];
    slot = new int[compiledGroup.trials()];
  }

  /** Simulates the group on the instances of {@code cluster} and records their work in it. */
  void run(Cluster cluster, double fromS, int sample) {
    groupStartS = fromS;
    Arrays.fill(lastOnSlot, NONE);
    int startup = draws.startups().offset(sample);
    System.arraycopy(draws.startups().values(), startup, startupS, 0, startupS.length);
    double never = Double.POSITIVE_INFINITY;
    groupEndS = run.run(step, draws, cluster, fromS, never, never, sample);
    run.end(step, cluster, sample);
    int torn = tornCounts.offset(sample);
    targetS = Double.POSITIVE_INFINITY;
    for (int trial = 0; trial < startS.length; trial++) {
      double lastsS = endS[trial] - startS[trial];
      double times = tornCounts.values()[torn + trial];
      double reportS = startS[trial] + step.targetS(trial, lastsS, startupS[trial], times);
      targetS = Math.min(targetS, reportS);
    }
  }

  @Override
  public void record(int trial, int onSlot, double fromS, double toS) {
    slot[trial] = onSlot;
    startS[trial] = fromS;
    endS[trial] = toS;
    before[trial] = lastOnSlot[onSlot];
    lastOnSlot[onSlot] = trial;
  }

  /** Returns the start of the group. */
  double groupStartS() {
    return groupStartS;
  }

  /** Returns when a trial first reports the metric that ends the search; infinite if none does. */
  double targetS() {
    return targetS;
  }

  /** Returns the end of its last trial. */
  double groupEndS() {
    return groupEndS;
  }

  /** Returns the trial that started last; trials start in trial order. */
  int lastStarted() {
    return step.trials() - 1;
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
  public double stragglingS(int trial) {
    return endS[trial] - startS[trial] - startupS[trial] - step.workS();
  }
}
