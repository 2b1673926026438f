package io.elastune.simulator.group;

import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.sample.BlockSampler;
import io.elastune.simulator.sample.Outcome;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Simulates a compiled plan of chains of trial groups. */
public final class Sampler implements BlockSampler {
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

  /** The steps after which states are kept, in their order, and the states. */
  private final int[] keptSteps;

  private final KnownStates.AfterSteps[] kept;

  /**
   * @param states the states of samples of other plans
   * @param tasks counts the simulated trials of groups
   */
  public Sampler(CompiledPlan compiledPlan, KnownStates states, SamplingLimit.Counter tasks) {
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
    keptSteps =
        IntStream.range(0, compiledGroups.length)
            .filter(i -> !targetReports.exist() && states.keepsAfter(compiledGroups[i]))
            .toArray();
    kept =
        IntStream.of(keptSteps)
            .mapToObj(i -> states.after(compiledPlan.firstSteps(i)))
            .toArray(KnownStates.AfterSteps[]::new);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    tasks.count(weight);
    double targetS = simulate(sample, Double.POSITIVE_INFINITY);
    if (targetS < Double.POSITIVE_INFINITY) {
      costTotals.beginSample();
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
    targetReports.clear();
    int known = kept.length - 1;
    while (known >= 0 && !resume(kept[known].of(sample))) {
      known--;
    }
    if (known < 0) {
      for (Cluster cluster : clusters) {
        cluster.reset();
      }
      promotions.clear();
    }
    int next = known + 1;
    for (int i = known < 0 ? 0 : keptSteps[known] + 1; i < compiledGroups.length; i++) {
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
      if (next < kept.length && keptSteps[next] == i) {
        kept[next++].put(sample, this::state);
      }
    }
    return targetReports.firstS();
  }

  private SampleState state() {
    return new SampleState(
        Stream.of(clusters).map(Cluster::state).toArray(Cluster.State[]::new),
        promotions.state(),
        endS.clone(),
        costTotals.ofSample());
  }

  /** Continues a sample from a state; returns whether there is one. */
  private boolean resume(Optional<SampleState> state) {
    if (state.isEmpty()) {
      return false;
    }
    SampleState from = state.get();
    for (int chain = 0; chain < clusters.length; chain++) {
      clusters[chain].restore(from.clusters()[chain]);
    }
    promotions.restore(from.homes());
    System.arraycopy(from.endS(), 0, endS, 0, endS.length);
    costTotals.continueWith(from.costs());
    return true;
  }

  /** Simulates a group on the instances of {@code cluster}, and returns its end. */
  private double simulate(int step, Cluster cluster, double startS, double untilS, int sample) {
    if (expectsFaults[step]) {
      return simulateFaults(step, cluster, startS, untilS, sample);
    }
    CompiledGroup compiledGroup = compiledGroups[step];
    double reportS = targetReports.firstS();
    targetReports.select(compiledGroup, draws[step].startups(), sample);
    double groupEndS =
        groupRun.run(
            compiledGroup, draws[step], cluster, startS, cluster.firstLossS(), untilS, sample);
    if (groupRun.hasFault()) {
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
