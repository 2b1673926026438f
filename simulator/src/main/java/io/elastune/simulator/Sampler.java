package io.elastune.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Simulates a compiled plan of chains of trial groups. */
final class Sampler implements BlockSampler {
  private static final double[] NONE = {};

  private final CompiledGroup[] compiledGroups;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final CostTotals costTotals;
  private final Cluster[] clusters;
  private final GroupRun groupRun;
  private final SurplusReleases surplusReleases;
  private final double[] endS;
  private final FaultySampler faults;
  private final TargetReports targetReports;
  private final boolean repeats;

  Sampler(CompiledPlan compiledPlan) {
    compiledGroups = compiledPlan.steps();
    xs =
        Stream.of(compiledGroups)
            .map(compiledGroup -> new DrawReader(compiledGroup.x()))
            .toArray(DrawReader[]::new);
    startups =
        Stream.of(compiledGroups)
            .map(compiledGroup -> new DrawReader(compiledGroup.startups()))
            .toArray(DrawReader[]::new);
    costTotals = new CostTotals(compiledGroups.length);
    List<LeasePlan> leases = compiledPlan.leases();
    clusters = leases.stream().map(plan -> new Cluster(plan, costTotals)).toArray(Cluster[]::new);
    int most = leases.stream().mapToInt(LeasePlan::size).max().orElseThrow();
    int slots =
        Stream.of(compiledGroups)
            .mapToInt(compiledGroup -> compiledGroup.teams() * compiledGroup.perTeam())
            .max()
            .orElseThrow();
    Promotions promotions = new Promotions(compiledGroups, leases.stream());
    groupRun = new GroupRun(most, slots, promotions);
    surplusReleases = new SurplusReleases(compiledPlan.hold(), most, clusters[0]);
    endS = new double[compiledGroups.length];
    targetReports = new TargetReports(compiledGroups);
    if (targetReports.exist()) {
      groupRun.traceTo(targetReports);
    }
    faults = new FaultySampler(compiledPlan, xs, startups, promotions, costTotals);
    repeats = targetReports.exist() || compiledPlan.hasFaults();
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    int end = SampleBlocks.end(block, outcome.samples());
    for (int sample = outcome.first(block); sample < end; sample++) {
      double[] sums = repeats ? costTotals.sums() : NONE;
      targetReports.clear();
      simulate(sample, Double.POSITIVE_INFINITY);
      if (targetReports.firstS() < Double.POSITIVE_INFINITY) {
        costTotals.restore(sums);
        simulate(sample, targetReports.firstS());
      }
      faults.replace(clusters, sample, sums, endS);
      outcome.add(sample, endS, costTotals.groupUsd);
    }
    outcome.addBlockCosts(block, costTotals.takeSums());
  }

  /**
   * Simulates a sample without faults.
   *
   * @param untilS when the search ends in any case
   */
  private void simulate(int sample, double untilS) {
    Arrays.fill(costTotals.groupUsd, 0);
    for (Cluster cluster : clusters) {
      cluster.reset();
    }
    for (int i = 0; i < compiledGroups.length; i++) {
      CompiledGroup compiledGroup = compiledGroups[i];
      double startS = 0;
      for (int before : compiledGroup.after()) {
        startS = Math.max(startS, endS[before]);
      }
      if (startS >= untilS) {
        endS[compiledGroup.group()] = untilS;
        continue;
      }
      Cluster cluster = clusters[compiledGroup.chain()];
      cluster.request(compiledGroup.requested(), startS, sample);
      targetReports.select(compiledGroup, startups[i], sample);
      double groupEndS =
          groupRun.run(compiledGroup, xs[i], startups[i], cluster, startS, untilS, sample);
      endS[compiledGroup.group()] = groupEndS;
      surplusReleases.endGroup(compiledGroup, cluster, startS, groupEndS);
      if (groupEndS >= untilS) {
        surplusReleases.endSearch(compiledGroup, cluster, untilS);
      }
    }
  }
}
