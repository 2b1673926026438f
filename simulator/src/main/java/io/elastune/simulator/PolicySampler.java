package io.elastune.simulator;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.GroupTimeline;
import io.elastune.core.policy.PolicyAttempt;
import io.elastune.core.policy.Width;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Simulates a cluster that Fluid or Hermes divides among trials block by block, with a {@link
 * GroupTimeline} as its rules (docs/searches.md, "Scheduling policies of fixed clusters").
 */
final class PolicySampler implements BlockSampler {
  private final CompiledPolicyPlan plan;
  private final StopCounts stopCounts;
  private final SamplingLimit.Counter tasks;
  private final CostTotals costTotals;
  private final Cluster cluster;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final List<Optional<DrawReader>> expected;
  private final LossDraws lossDraws;

  /**
   * @param stopCounts receives how often running tasks are ended, by sample
   * @param tasks counts the simulated attempts and reports
   */
  PolicySampler(CompiledPolicyPlan plan, StopCounts stopCounts, SamplingLimit.Counter tasks) {
    this.tasks = tasks;
    this.plan = plan;
    this.stopCounts = stopCounts;
    costTotals = new CostTotals(plan.groups.size());
    cluster = new Cluster(plan.leases, costTotals);
    xs = readers(plan.xs);
    startups = readers(plan.startups);
    expected = plan.expected.stream().map(table -> table.map(DrawReader::new)).toList();
    lossDraws = plan.losses.get();
  }

  private static DrawReader[] readers(List<DrawTable> tables) {
    return tables.stream().map(DrawReader::new).toArray(DrawReader[]::new);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  /** Returns the attempts of the first sample. */
  List<PolicyAttempt> attempts() {
    return play(0, new double[plan.groups.size()]).attempts();
  }

  /** Returns when an instance is ready in the sample that was played last. */
  double readyS(int number) {
    return cluster.readyS[number];
  }

  private void simulateOne(int sample, Outcome outcome) {
    double[] endS = new double[plan.groups.size()];
    stopCounts.set(sample, play(sample, endS));
    outcome.add(sample, endS, costTotals.groupUsd);
  }

  private GroupTimeline play(int sample, double[] endS) {
    Arrays.fill(costTotals.groupUsd, 0);
    cluster.reset();
    cluster.request(plan.instances, 0, sample);
    GroupTimeline timeline = plan.timelines.apply(Arrays.copyOf(cluster.readyS, plan.instances));
    double startS = 0;
    for (int index = 0; index < endS.length; index++) {
      TrialGroup group = plan.groups.get(index);
      List<Integer> units = Collections.nCopies(group.trials(), group.units());
      endS[index] = timeline.run(group.name(), units, startS, new GroupDurations(index, sample));
      boolean isLast = timeline.reachedTarget() || index == endS.length - 1;
      bill(timeline, index, startS, endS[index], isLast);
      startS = endS[index];
      if (isLast) {
        Arrays.fill(endS, index, endS.length, startS);
        break;
      }
    }
    return timeline;
  }

  private void bill(GroupTimeline timeline, int group, double startS, double endS, boolean isLast) {
    for (int i = 0; i < plan.instances; i++) {
      cluster.recordWork(i, timeline.usedS(i), timeline.busyS(i));
      if (isLast) {
        cluster.release(i, group, startS, endS);
      }
    }
    if (!isLast) {
      cluster.attributeCost(group, startS, endS);
    }
  }

  /** The draws of the trials of one group in one sample. */
  private final class GroupDurations implements GroupTimeline.Model {
    private final double[] x;
    private final double[] startup;
    private final LossDraws.Sampled losses;
    private final int group;
    private final int firstX;
    private final int firstStartup;
    private final double[] pace;
    private final int firstPace;

    GroupDurations(int group, int sample) {
      this.group = group;
      firstX = xs[group].offset(sample);
      firstStartup = startups[group].offset(sample);
      losses = lossDraws.of(sample);
      x = xs[group].values();
      startup = startups[group].values();
      firstPace = expected.get(group).map(paces -> paces.offset(sample)).orElse(0);
      pace = expected.get(group).map(DrawReader::values).orElse(x);
    }

    @Override
    public double startupS(int trial, boolean isFirst) {
      return startup[firstStartup + trial - 1];
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      tasks.count(1);
      return plan.seconds.perUnit(width) * x[firstX + trial - 1] * cluster.slowness[instance];
    }

    @Override
    public double checkpointS(int trial) {
      return plan.checkpointS;
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      if (hasReported) {
        return x[firstX + trial - 1];
      }
      return expected.get(group).isPresent() ? pace[firstPace + trial - 1] : 1;
    }

    @Override
    public OptionalInt targetUnit(int trial) {
      int[] units = plan.targets.get(group);
      return units.length == 0 || units[trial - 1] == 0
          ? OptionalInt.empty()
          : OptionalInt.of(units[trial - 1]);
    }

    @Override
    public double loss(int trial, int unit) {
      tasks.count(1);
      return losses.loss(trial, unit);
    }
  }
}
