package io.elastune.simulator.group;

import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.instance.CompiledGroup;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Simulates groups with faults, from event to event. */
final class FaultySampler {
  private final boolean hold;
  private final CompiledGroup[] compiledGroups;
  private final FaultyTrials[] trials;
  private final Promotions promotions;
  private final SurplusReleases releases;
  private final FaultyGroupRun run;
  private final IntFunction<int[]> lastInstances;

  /**
   * @param draws readers of the draws of trials, by group in simulation order
   * @param any one of the clusters
   */
  FaultySampler(
      CompiledPlan compiledPlan,
      GroupRun.GroupDraws[] draws,
      Promotions promotions,
      SurplusReleases releases,
      Cluster any) {
    hold = compiledPlan.hold();
    compiledGroups = compiledPlan.steps();
    this.promotions = promotions;
    this.releases = releases;
    trials =
        IntStream.range(0, compiledGroups.length)
            .mapToObj(
                i ->
                    new FaultyTrials(
                        compiledGroups[i],
                        draws[i],
                        new DrawReader(compiledGroups[i].tornCounts())))
            .toArray(FaultyTrials[]::new);
    run = new FaultyGroupRun(compiledGroups[0], any, trials[0]);
    lastInstances = run::lastInstances;
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
    trials[step].read(sample);
    TrialHomes homes = promotions.homes(group);
    double endS = run.run(group, cluster, trials[step], homes, hold, startS, untilS, sample);
    if (run.endsSearch()) {
      cluster.attributeCost(group.group(), startS, endS);
      releases.endSearch(group, cluster, endS);
      return new GroupEnd(endS, true);
    }
    promotions.endGroup(group, sample, lastInstances);
    releases.endGroup(group, cluster, startS, endS);
    return new GroupEnd(endS, false);
  }
}
