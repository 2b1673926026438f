package io.elastune.simulator.group;

import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.sample.BlockSampler;
import io.elastune.simulator.sample.Outcome;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Simulates a compiled plan of chains of trial groups. */
public final class Sampler implements BlockSampler {
  private static final double[] NONE = {};

  /** Trials of groups that take as long as a task that is played. */
  private static final int TRIALS_OF_TASK = 16;

  /** The same of instances. */
  private static final int INSTANCES_OF_TASK = 4;

  /** Expected faults in a group from which on it is not simulated without faults first. */
  private static final double MANY_FAULTS = 0.7;

  private final SamplingLimit.Counter tasks;
  private final int weight;

  private final CompiledGroup[] compiledGroups;
  private final GroupRun.GroupDraws[] draws;
  private final CostTotals costTotals;
  private final Cluster[] clusters;
  private final GroupRun groupRun;
  private final SurplusReleases surplusReleases;
  private final double[] endS;
  private final FaultySampler faults;
  private final TargetReports targetReports;
  private final Promotions promotions;
  private final boolean hasFaults;

  /** By group: whether it is simulated with faults at once, because most samples have one. */
  private final boolean[] expectsFaults;

  /**
   * @param tasks counts the simulated trials of groups
   */
  public Sampler(CompiledPlan compiledPlan, SamplingLimit.Counter tasks) {
    this.tasks = tasks;
    compiledGroups = compiledPlan.steps();
    hasFaults = compiledPlan.hasFaults();
    draws =
        Stream.of(compiledGroups)
            .map(compiledGroup -> GroupRun.GroupDraws.of(compiledGroup, hasFaults))
            .toArray(GroupRun.GroupDraws[]::new);
    costTotals = new CostTotals(compiledGroups.length);
    List<LeasePlan> leases = compiledPlan.leases();
    clusters = leases.stream().map(plan -> new Cluster(plan, costTotals)).toArray(Cluster[]::new);
    int most = leases.stream().mapToInt(LeasePlan::size).max().orElseThrow();
    int slots =
        Stream.of(compiledGroups)
            .mapToInt(compiledGroup -> compiledGroup.teams() * compiledGroup.perTeam())
            .max()
            .orElseThrow();
    promotions = new Promotions(compiledGroups, leases.stream());
    groupRun = new GroupRun(most, slots, promotions);
    surplusReleases = new SurplusReleases(compiledPlan.hold(), most, clusters[0]);
    endS = new double[compiledGroups.length];
    targetReports = new TargetReports(compiledGroups);
    if (targetReports.exist()) {
      groupRun.traceTo(targetReports);
    }
    weight =
        1
            + Stream.of(compiledGroups).mapToInt(CompiledGroup::trials).sum() / TRIALS_OF_TASK
            + leases.stream().mapToInt(LeasePlan::size).sum() / INSTANCES_OF_TASK;
    faults = new FaultySampler(compiledPlan, draws, promotions, surplusReleases, clusters[0]);
    expectsFaults = new boolean[compiledGroups.length];
    for (int i = 0; hasFaults && i < expectsFaults.length; i++) {
      expectsFaults[i] = compiledGroups[i].expectedFaults() >= MANY_FAULTS;
    }
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    tasks.count(weight);
    double[] sums = targetReports.exist() ? costTotals.sums() : NONE;
    double targetS = simulate(sample, Double.POSITIVE_INFINITY);
    if (targetS < Double.POSITIVE_INFINITY) {
      costTotals.restore(sums);
      simulate(sample, targetS);
    }
    outcome.add(sample, endS, costTotals.groupUsd);
  }

  /**
   * Simulates a sample.
   *
   * @param untilS when the search ends in any case
   * @return when a trial reports the metric that ends the search; infinite if none does
   */
  private double simulate(int sample, double untilS) {
    Arrays.fill(costTotals.groupUsd, 0);
    for (Cluster cluster : clusters) {
      cluster.reset();
    }
    promotions.clear();
    targetReports.clear();
    for (int i = 0; i < compiledGroups.length; i++) {
      CompiledGroup compiledGroup = compiledGroups[i];
      double startS = 0;
      for (int before : compiledGroup.after()) {
        startS = Math.max(startS, endS[before]);
      }
      double stopS = Math.min(untilS, targetReports.firstS());
      if (startS >= stopS) {
        endS[compiledGroup.group()] = stopS;
        continue;
      }
      Cluster cluster = clusters[compiledGroup.chain()];
      cluster.request(compiledGroup.requested(), startS, sample);
      endS[compiledGroup.group()] = simulate(i, cluster, startS, untilS, sample);
    }
    return targetReports.firstS();
  }

  /** Simulates a group on the instances of {@code cluster}, and returns its end. */
  private double simulate(int step, Cluster cluster, double startS, double untilS, int sample) {
    if (expectsFaults[step]) {
      return simulateFaults(step, cluster, startS, untilS, sample);
    }
    CompiledGroup compiledGroup = compiledGroups[step];
    double reportS = targetReports.firstS();
    targetReports.select(compiledGroup, draws[step].startups(), sample);
    double groupEndS = groupRun.run(compiledGroup, draws[step], cluster, startS, untilS, sample);
    if (hasFaults && (groupRun.hasFault() || cluster.isLostBefore(groupEndS))) {
      targetReports.restore(reportS);
      return simulateFaults(step, cluster, startS, untilS, sample);
    }
    groupRun.end(compiledGroup, cluster, sample);
    surplusReleases.endGroup(compiledGroup, cluster, startS, groupEndS);
    if (groupEndS >= untilS) {
      surplusReleases.endSearch(compiledGroup, cluster, untilS);
    }
    return groupEndS;
  }

  private double simulateFaults(
      int step, Cluster cluster, double startS, double untilS, int sample) {
    FaultySampler.GroupEnd end = faults.run(step, cluster, sample, startS, untilS);
    if (end.endsSearch()) {
      targetReports.report(end.endS());
    }
    return end.endS();
  }
}
