package io.elastune.simulator;

import io.elastune.core.search.PoolTimeline;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Simulates chains that share instances block by block, with {@link PoolTimeline} as its rules. The
 * cost of the instances is attributed to the groups by the GPU-seconds of their tasks
 * (docs/searches.md, "Shared instances").
 */
final class PoolSampler implements BlockSampler, PoolTimeline.Durations {
  private final CompiledPoolPlan plan;
  private final SamplingLimit.Counter tasks;
  private final CostTotals costTotals;
  private final Cluster cluster;
  private final GroupRun.GroupDraws[] draws;
  private final DrawReader[] tornCounts;
  private final FaultyTrials[] trials;
  private final int[] firstGroup;
  // The offsets of the current sample.
  private final int[] x;
  private final int[] startup;
  private final int[] torn;
  private final int[] fault;
  private boolean hasFault;

  /**
   * @param tasks counts the simulated tasks
   */
  PoolSampler(CompiledPoolPlan plan, SamplingLimit.Counter tasks) {
    this.tasks = tasks;
    this.plan = plan;
    int groups = plan.groups.size();
    draws = new GroupRun.GroupDraws[groups];
    tornCounts = new DrawReader[groups];
    trials = new FaultyTrials[groups];
    for (int i = 0; i < groups; i++) {
      CompiledGroup group = plan.groups.get(i);
      draws[i] = GroupRun.GroupDraws.of(group, plan.hasFaults);
      tornCounts[i] = new DrawReader(group.tornCounts());
      trials[i] = new FaultyTrials(group, draws[i], tornCounts[i]);
    }
    x = new int[groups];
    startup = new int[groups];
    torn = new int[groups];
    fault = new int[groups];
    costTotals = new CostTotals(groups);
    cluster = new Cluster(plan.leases, costTotals);
    firstGroup = new int[plan.chains.size()];
    for (int chain = 1; chain < firstGroup.length; chain++) {
      firstGroup[chain] = firstGroup[chain - 1] + plan.chains.get(chain - 1).size();
    }
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    double[] sums = costTotals.sums();
    PoolTimeline timeline = play(sample);
    double[] endS = flat(timeline.endS);
    double[] gpuS = flat(timeline.gpuSeconds);
    if (hasFault) {
      costTotals.restore(sums);
      for (FaultyTrials each : trials) {
        each.read(sample);
      }
      FaultyCluster faulty = new FaultyCluster(plan.leases, cluster.draws, costTotals, sample);
      FaultyPoolRun run = new FaultyPoolRun(plan, faulty, group -> trials[group]);
      run.run();
      endS = run.endS;
      gpuS = run.gpuSeconds;
    }
    attribute(gpuS);
    outcome.add(sample, endS, costTotals.groupUsd);
  }

  /** Plays the sample without lost instances, crashes and hangs. */
  PoolTimeline play(int sample) {
    hasFault = false;
    for (int i = 0; i < draws.length; i++) {
      x[i] = draws[i].xs().offset(sample);
      startup[i] = draws[i].startups().offset(sample);
      torn[i] = tornCounts[i].offset(sample);
      fault[i] = draws[i].faults().isPresent() ? draws[i].faults().get().offset(sample) : 0;
    }
    Arrays.fill(costTotals.groupUsd, 0);
    cluster.reset();
    cluster.request(plan.instances, 0, sample);
    double[] readyS = Arrays.copyOf(cluster.readyS, plan.instances);
    PoolTimeline timeline =
        new PoolTimeline(plan.chains, plan.gpusPerInstance, plan.hold, readyS, this);
    timeline.run();
    for (int i = 0; i < plan.instances; i++) {
      cluster.recordWork(i, timeline.usedS[i], timeline.busyS[i]);
      cluster.release(i, 0, 0, timeline.releasedS[i]);
      hasFault |= cluster.isLostBefore(i, timeline.releasedS[i]);
    }
    return timeline;
  }

  /** Returns when an instance is ready in the sample that was played last. */
  double readyS(int number) {
    return cluster.readyS[number];
  }

  private static double[] flat(double[][] byChain) {
    return Stream.of(byChain).flatMapToDouble(DoubleStream::of).toArray();
  }

  /** Divides the cost, all of which was booked for the first group, among the groups. */
  private void attribute(double[] gpuS) {
    double totalUsd = costTotals.groupUsd[0];
    double totalGpuS = DoubleStream.of(gpuS).sum();
    for (int group = 0; group < gpuS.length; group++) {
      costTotals.groupUsd[group] = totalUsd * gpuS[group] / totalGpuS;
    }
  }

  @Override
  public double targetS(int chain, int group, int trial, double seconds) {
    int row = firstGroup[chain] + group;
    return plan.groups
        .get(row)
        .targetS(
            trial,
            seconds,
            draws[row].startups().values()[startup[row] + trial],
            tornCounts[row].values()[torn[row] + trial]);
  }

  @Override
  public double seconds(int chain, int group, int trial, int instance) {
    tasks.count(1);
    int row = firstGroup[chain] + group;
    double lastsS =
        draws[row].startups().values()[startup[row] + trial]
            + plan.groups.get(row).workS()
                * draws[row].xs().values()[x[row] + trial]
                * cluster.slowness[instance];
    if (draws[row].faults().isPresent()) {
      double[] faults = draws[row].faults().get().values();
      hasFault |= lastsS * plan.hazards.attemptPerS() > faults[fault[row] + trial];
    }
    return lastsS;
  }
}
