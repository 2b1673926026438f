package io.elastune.simulator.timeline;

import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PoolSizes;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TimelineRecipient;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.sample.Outcome;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Simulates chains that share instances block by block. The cost of the instances is attributed to
 * the groups by the GPU-seconds of their tasks (docs/searches.md, "Shared instances").
 */
final class PoolSampler implements TimelineSampler, TimelineRecipient {
  private final List<CompiledGroup> groups;
  private final ContinuingDraws continuing;
  private final ChainsRun search;
  private final GroupTimes times;
  private final SampledTimeline sampled;
  private final int[] firstGroup;
  private final double[] gpuS;

  /**
   * @param tasks counts the simulated tasks
   * @param hasFaults whether instances are lost and trials fail
   */
  PoolSampler(CompiledPoolPlan plan, SamplingLimit.Counter tasks, boolean hasFaults) {
    groups = plan.groups;
    firstGroup = new int[plan.chains.size()];
    for (int chain = 1; chain < firstGroup.length; chain++) {
      firstGroup[chain] = firstGroup[chain - 1] + plan.chains.get(chain - 1).size();
    }
    gpuS = new double[plan.groups.size()];
    continuing = new ContinuingDraws(plan.continuing);
    search = new ChainsRun(plan.units());
    ListPolicy policy =
        new ListPolicy(
            search,
            new PoolSizes(plan.chains, search, plan.instances, plan.gpusPerInstance, plan.hold),
            plan.gpusPerInstance);
    if (plan.keepAlive) {
      var unused = search.withPlaces(continuing);
    }
    if (plan.fills) {
      var unused = policy.filling();
    }
    times = new GroupTimes(plan.groups, this::row, plan.checkpointS, tasks);
    sampled =
        new SampledTimeline(
                new SampledSearch(
                    plan.leases,
                    plan.gpusPerInstance,
                    search,
                    policy,
                    times,
                    plan.groups.stream().map(group -> group.clocks(plan.hasFaults)).toList(),
                    this::row,
                    OptionalDouble.empty()),
                gpuS.length,
                hasFaults)
            .keepingAlive(plan.keepAlive);
    sampled.timeline.tracedTo(this);
  }

  /** Returns the index of the group of a task among those of all chains. */
  private int row(Task task) {
    return firstGroup[task.queue()] + task.group();
  }

  @Override
  public void simulateOne(int sample, Outcome outcome) {
    var unused = play(sample);
    attribute();
    double[] endS = new double[gpuS.length];
    for (int row = 0; row < endS.length; row++) {
      int chain = chain(row);
      endS[row] = search.endS(chain, row - firstGroup[chain]);
    }
    outcome.add(sample, endS, sampled.costTotals.groupUsd);
  }

  private int chain(int row) {
    int chain = firstGroup.length - 1;
    while (firstGroup[chain] > row) {
      chain--;
    }
    return chain;
  }

  @Override
  public SampledTimeline sampled() {
    return sampled;
  }

  @Override
  public double play(int sample) {
    begin(sample);
    return sampled.timeline.play();
  }

  /** Begins a sample; tasks that run may be added. */
  void begin(int sample) {
    Arrays.fill(gpuS, 0);
    times.select(sample);
    continuing.select(sample);
    sampled.begin(sample);
  }

  /** Returns the search, from which tasks may be issued when a sample has begun. */
  ChainsRun search() {
    return search;
  }

  /**
   * Adds a task that runs.
   *
   * @param width the GPUs that it uses
   * @param unitS seconds per unit of a trial of average speed
   * @param leftS seconds until it would end
   */
  void addRunning(Task task, int instance, int firstGpu, int width, double unitS, double leftS) {
    double factor = times.factor(task);
    sampled.timeline.addRunning(task, instance, firstGpu, width, unitS * factor, leftS * factor);
  }

  @Override
  public double unitS(Task task) {
    CompiledGroup group = groups.get(row(task));
    return group.workS() / group.units();
  }

  @Override
  public int group(Task task) {
    return row(task);
  }

  @Override
  public void left(Task task, double nowS) {
    gpuS[row(task)] += (nowS - task.startS()) * task.gpus();
  }

  /** Divides the cost, all of which was booked for the first group, among the groups. */
  private void attribute() {
    double[] groupUsd = sampled.costTotals.groupUsd;
    double totalUsd = groupUsd[0];
    double totalGpuS = DoubleStream.of(gpuS).sum();
    for (int row = 0; row < gpuS.length; row++) {
      groupUsd[row] = totalUsd * gpuS[row] / totalGpuS;
    }
  }
}
