package io.elastune.simulator.timeline;

import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.GroupsPolicy;
import io.elastune.core.timeline.Task;
import io.elastune.simulator.fault.TrialClocks;
import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Plays the chains of a plan, each with its faults on instances of its own. Where the trials of a
 * group before ran does not matter, and costs have no causes. Not thread-safe.
 */
public final class GroupsSampler {
  private final List<Chain> chains = new ArrayList<>();

  /** Creates a sampler of a plan. */
  public GroupsSampler(CompiledPlan plan) {
    List<LeasePlan> leases = plan.leases();
    for (int chain = 0; chain < leases.size(); chain++) {
      int own = chain;
      List<CompiledGroup> groups =
          Stream.of(plan.steps()).filter(group -> group.chain() == own).toList();
      chains.add(new Chain(groups, leases.get(chain), plan.hold(), plan.hasFaults()));
    }
  }

  /** Plays a chain in a sample, and returns when its last group ended. */
  public double play(int chain, int sample) {
    return chains.get(chain).play(sample);
  }

  /** Returns the cost in USD of the instances of a chain in the sample that was played last. */
  public double usd(int chain) {
    return DoubleStream.of(chains.get(chain).sampled.costTotals.groupUsd).sum();
  }

  /** A chain on a timeline. */
  private static final class Chain {
    private final GroupTimes times;
    private final SampledTimeline sampled;

    Chain(List<CompiledGroup> groups, LeasePlan leases, boolean hold, boolean hasFaults) {
      ChainsRun search =
          new ChainsRun(
                  List.of(
                      groups.stream()
                          .map(group -> new ChainsRun.Group(group.trials(), 0, group.units()))
                          .toList()))
              .withGroupPhases();
      times =
          new GroupTimes(
              groups, Task::group, groups.get(0).checkpointS(), SamplingLimit.NONE.counter());
      sampled =
          new SampledTimeline(
              new SampledSearch(
                  leases,
                  1,
                  search,
                  new GroupsPolicy(search, sizes(groups), hold),
                  times,
                  groups.stream().map(group -> clocks(group, hasFaults)).toList(),
                  Task::group,
                  OptionalDouble.empty()),
              groups.size(),
              hasFaults);
    }

    private static TrialClocks clocks(CompiledGroup group, boolean hasFaults) {
      return TrialClocks.of(
          hasFaults,
          group.hazards(),
          group.faults(),
          IntUnaryOperator.identity(),
          group.faultStreams());
    }

    private static List<GroupsPolicy.Group> sizes(List<CompiledGroup> groups) {
      List<GroupsPolicy.Group> sizes = new ArrayList<>();
      int held = 0;
      for (CompiledGroup group : groups) {
        sizes.add(
            new GroupsPolicy.Group(
                held + group.requested(),
                1,
                group.teamSize(),
                group.perTeam(),
                1,
                1,
                group.spare(),
                group.kept()));
        held = group.kept();
      }
      return sizes;
    }

    double play(int sample) {
      times.select(sample);
      return sampled.play(sample);
    }
  }
}
