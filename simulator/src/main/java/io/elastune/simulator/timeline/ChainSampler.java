package io.elastune.simulator.timeline;

import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.GroupsPolicy;
import io.elastune.core.timeline.Task;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.sample.Outcome;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** Plays the trial groups of one chain on instances of its own. */
final class ChainSampler implements TimelineSampler {
  private final List<CompiledGroup> groups;
  private final ChainsRun search;
  private final GroupTimes times;
  private final Optional<ContinuingDraws> continuing;
  private final SampledTimeline sampled;
  private Optional<GroupBefore> before = Optional.empty();
  private double untilS = Double.POSITIVE_INFINITY;

  /**
   * @param totals the costs, which may be those of several chains
   * @param tasks counts the attempts
   * @param hasFaults whether instances are lost and trials fail
   */
  ChainSampler(
      CompiledChain chain, CostTotals totals, SamplingLimit.Counter tasks, boolean hasFaults) {
    groups = chain.groups();
    continuing = chain.continuing().map(ContinuingDraws::new);
    search =
        new ChainsRun(
                List.of(
                    groups.stream()
                        .map(group -> new ChainsRun.Group(group.trials(), 0, group.units()))
                        .toList()))
            .withGroupPhases(groups.get(0).group());
    continuing.ifPresent(search::withPlaces);
    times = new GroupTimes(groups, Task::group, groups.get(0).checkpointS(), tasks);
    GroupsPolicy policy = new GroupsPolicy(search, chain.sizes(), chain.hold());
    sampled =
        new SampledTimeline(
                new SampledSearch(
                    chain.leases(),
                    chain.sizes().stream()
                        .mapToInt(GroupsPolicy.Group::instanceGpus)
                        .max()
                        .orElseThrow(),
                    search,
                    policy,
                    times,
                    groups.stream().map(group -> group.clocks(hasFaults)).toList(),
                    Task::group,
                    OptionalDouble.empty()),
                totals,
                hasFaults)
            .keepingAlive(continuing.isPresent());
  }

  /** Lets the chain begin after a group that was trained before. */
  void beginsAfter(GroupBefore group) {
    before = Optional.of(group);
  }

  /** Lets the next samples begin at a time from the start of the run. */
  void beginsAt(double atS) {
    sampled.instances.beginsAt(atS);
  }

  @Override
  public void endsAt(double atS) {
    untilS = atS;
  }

  /** Adds the ends and the costs of the groups in the last sample to those of all groups. */
  void addTo(double[] endS, double[] groupUsd) {
    for (int i = 0; i < groups.size(); i++) {
      int group = groups.get(i).group();
      endS[group] = search.endS(0, i);
      groupUsd[group] = sampled.costTotals.groupUsd[group];
    }
  }

  /** Returns the cost in USD of the instances in the last sample. */
  double usd() {
    return DoubleStream.of(sampled.costTotals.groupUsd).sum();
  }

  @Override
  public boolean wasEnded() {
    return search.wasEnded();
  }

  @Override
  public double play(int sample) {
    var unused = sampled.timeline.stoppedAt(untilS);
    times.select(sample);
    continuing.ifPresent(draws -> draws.select(sample));
    sampled.begin(sample);
    before.ifPresent(group -> group.place(sample, search, sampled.timeline));
    return sampled.timeline.play();
  }

  @Override
  public void simulateOne(int sample, Outcome outcome) {
    throw new UnsupportedOperationException("ChainsSampler adds the samples of all chains");
  }

  @Override
  public SampledTimeline sampled() {
    return sampled;
  }

  @Override
  public double unitS(Task task) {
    CompiledGroup group = groups.get(task.group());
    return group.workS() / group.units();
  }

  @Override
  public int group(Task task) {
    return groups.get(task.group()).group();
  }
}
