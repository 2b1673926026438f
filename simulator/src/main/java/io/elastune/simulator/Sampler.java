package io.elastune.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Simulates a compiled plan of chains of trial groups. */
final class Sampler implements BlockSampler {
  private static final double[] NONE = {};

  /** Trials of groups that take as long as a task that is played. */
  private static final int TRIALS_OF_TASK = 16;

  private final SamplingLimit.Counter tasks;
  private final int weight;

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
  private final boolean hasFaults;

  /** By group in simulation order: the hazard of its chain before it in the present sample. */
  private final double[] hazards;

  /** Whether the present sample is simulated again with faults. */
  private boolean isFaulty;

  /**
   * @param tasks counts the simulated trials of groups
   */
  Sampler(CompiledPlan compiledPlan, SamplingLimit.Counter tasks) {
    this.tasks = tasks;
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
    weight = 1 + Stream.of(compiledGroups).mapToInt(CompiledGroup::trials).sum() / TRIALS_OF_TASK;
    faults = new FaultySampler(compiledPlan, xs, startups, promotions, costTotals);
    hasFaults = compiledPlan.hasFaults();
    hazards = new double[compiledGroups.length];
    repeats = targetReports.exist() || compiledPlan.hasFaults();
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    tasks.count(weight);
    double[] sums = repeats ? costTotals.sums() : NONE;
    targetReports.clear();
    simulate(sample, Double.POSITIVE_INFINITY);
    if (targetReports.firstS() < Double.POSITIVE_INFINITY) {
      costTotals.restore(sums);
      simulate(sample, targetReports.firstS());
    }
    if (faults.occurs(clusters, sample)) {
      addFaults(sample, sums);
    }
    outcome.add(sample, endS, costTotals.groupUsd);
  }

  /** Replaces the results of a sample by those with faults. */
  private void addFaults(int sample, double[] sums) {
    if (targetReports.exist()) {
      faults.replace(clusters, sample, sums, endS);
      return;
    }
    costTotals.restore(sums);
    faults.begin(hazards, clusters);
    isFaulty = true;
    simulate(sample, Double.POSITIVE_INFINITY);
    isFaulty = false;
  }

  /**
   * Simulates a sample, without faults or with those of {@link #faults}.
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
      if (isFaulty && faults.isFaulty(i)) {
        endS[compiledGroup.group()] = faults.run(i, cluster, sample, startS);
        continue;
      }
      if (hasFaults) {
        hazards[i] = cluster.hazardUntil(startS);
      }
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
