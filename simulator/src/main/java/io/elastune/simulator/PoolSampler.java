package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
import io.elastune.core.search.PoolTimeline;
import java.util.Arrays;
import java.util.function.Function;
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
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final DrawReader[] tornCounts;
  private final DrawReader firstFault;
  private final int[] firstGroup;
  // The offsets of the current sample.
  private final int[] x;
  private final int[] startup;
  private final int[] torn;

  /**
   * @param tasks counts the simulated tasks
   */
  PoolSampler(CompiledPoolPlan plan, SamplingLimit.Counter tasks) {
    this.tasks = tasks;
    this.plan = plan;
    xs = readers(CompiledGroup::x);
    startups = readers(CompiledGroup::startups);
    tornCounts = readers(CompiledGroup::tornCounts);
    firstFault = new DrawReader(plan.firstFault);
    x = new int[xs.length];
    startup = new int[xs.length];
    torn = new int[xs.length];
    costTotals = new CostTotals(xs.length);
    cluster = new Cluster(plan.leases, costTotals);
    firstGroup = new int[plan.chains.size()];
    for (int chain = 1; chain < firstGroup.length; chain++) {
      firstGroup[chain] = firstGroup[chain - 1] + plan.chains.get(chain - 1).size();
    }
  }

  private DrawReader[] readers(Function<CompiledGroup, DrawTable> table) {
    return plan.groups.stream().map(table).map(DrawReader::new).toArray(DrawReader[]::new);
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
    if (plan.hasFaults) {
      int at = firstFault.offset(sample);
      double firstAt = firstFault.values()[at];
      if (firstAt <= cluster.hazard + attemptS(gpuS) * plan.hazards.attemptPerS()) {
        costTotals.restore(sums);
        FaultyPoolRun run =
            new FaultyPoolRun(plan, faulty(firstAt, sample), g -> trials(g, sample));
        run.run();
        endS = run.endS;
        gpuS = run.gpuSeconds;
      }
    }
    attribute(gpuS);
    outcome.add(sample, endS, costTotals.groupUsd);
  }

  /** Plays the sample without faults of the Poisson process. */
  PoolTimeline play(int sample) {
    for (int i = 0; i < xs.length; i++) {
      x[i] = xs[i].offset(sample);
      startup[i] = startups[i].offset(sample);
      torn[i] = tornCounts[i].offset(sample);
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
    }
    return timeline;
  }

  /** Returns when an instance is ready in the sample that was played last. */
  double readyS(int number) {
    return cluster.readyS[number];
  }

  /** Returns the seconds of all tasks. */
  private double attemptS(double[] gpuS) {
    double seconds = 0;
    for (int group = 0; group < gpuS.length; group++) {
      seconds += gpuS[group] / (plan.groups.get(group).share() * plan.gpusPerInstance);
    }
    return seconds;
  }

  private FaultyCluster faulty(double firstAt, int sample) {
    RandomStreams own = plan.faultStreams.at(sample);
    return new FaultyCluster(
        plan.leases,
        cluster.draws,
        costTotals,
        new FaultClock(firstAt, own.open()),
        own.at("replacement"),
        sample);
  }

  private FaultyTrials trials(int group, int sample) {
    return new FaultyTrials(
        plan.groups.get(group), xs[group], startups[group], tornCounts[group], sample);
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
            startups[row].values()[startup[row] + trial],
            tornCounts[row].values()[torn[row] + trial]);
  }

  @Override
  public double seconds(int chain, int group, int trial, int instance) {
    tasks.count(1);
    int row = firstGroup[chain] + group;
    return startups[row].values()[startup[row] + trial]
        + plan.groups.get(row).workS()
            * xs[row].values()[x[row] + trial]
            * cluster.slowness[instance];
  }
}
