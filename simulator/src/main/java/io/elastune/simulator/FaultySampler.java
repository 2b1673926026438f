package io.elastune.simulator;

import java.util.List;

/**
 * Simulates groups with faults. Each group of a sample is first simulated without them. Only if a
 * fault occurs in it, it is simulated again from event to event, so that rare faults cost little:
 * most groups have none, even in jobs in which most samples have one.
 */
final class FaultySampler {
  private final boolean hold;
  private final CompiledGroup[] compiledGroups;
  private final List<LeasePlan> leases;
  private final FaultyTrials[] trials;
  private final Promotions promotions;
  private final CostTotals costTotals;

  /**
   * @param draws readers of the draws of trials, by group in simulation order
   */
  FaultySampler(
      CompiledPlan compiledPlan,
      GroupRun.GroupDraws[] draws,
      Promotions promotions,
      CostTotals costTotals) {
    hold = compiledPlan.hold();
    compiledGroups = compiledPlan.steps();
    leases = compiledPlan.leases();
    this.promotions = promotions;
    this.costTotals = costTotals;
    trials = new FaultyTrials[compiledPlan.hasFaults() ? compiledGroups.length : 0];
    for (int i = 0; i < trials.length; i++) {
      DrawReader tornCounts = new DrawReader(compiledGroups[i].tornCounts());
      trials[i] = new FaultyTrials(compiledGroups[i], draws[i], tornCounts);
    }
  }

  /** The end of a group, and whether the search ended with it. */
  record GroupEnd(double endS, boolean endsSearch) {}

  /**
   * Simulates a group with faults.
   *
   * @param cluster the instances at its start; afterwards, those at its end
   * @param untilS when the search ends in any case
   */
  GroupEnd run(int step, Cluster cluster, int sample, double startS, double untilS) {
    CompiledGroup group = compiledGroups[step];
    FaultyCluster faulty =
        new FaultyCluster(leases.get(group.chain()), cluster.draws, costTotals, sample);
    faulty.takeOver(cluster, startS);
    FaultyTrials own = trials[step];
    own.read(sample);
    TrialHomes homes = promotions.homes(group);
    FaultyGroupRun run = new FaultyGroupRun(group, faulty, hold, own, homes, startS, untilS);
    double endS = run.run();
    faulty.returnTo(cluster);
    if (!run.endsSearch()) {
      promotions.endGroup(group, own.lastInstances(promotions.continuing(group, sample)));
    }
    return new GroupEnd(endS, run.endsSearch());
  }
}
