package io.elastune.simulator;

import io.elastune.core.search.RungTimeline;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.TraceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Simulates a search made of rungs block by block, with {@link RungTimeline} as its rules
 * (docs/searches.md, "Prediction").
 */
final class RungSampler implements BlockSampler, RungTimeline.Model {
  private static final int OPEN = 0;
  private static final int CLOSING = 1;
  private static final double[] NONE = {};

  private final CompiledRungPlan plan;
  private final RungCounts counts;
  private final CostTotals costTotals = new CostTotals(2);
  private final Cluster cluster;
  private final RungDraws draws;
  private boolean hasFault;

  /**
   * @param counts receives the number of tasks by rung and sample
   * @param tasks counts the simulated tasks
   */
  RungSampler(CompiledRungPlan plan, RungCounts counts, SamplingLimit.Counter tasks) {
    this.plan = plan;
    this.counts = counts;
    cluster = new Cluster(plan.leases, costTotals);
    draws = new RungDraws(plan, tasks);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    double[] sums = plan.hasFaults ? costTotals.sums() : NONE;
    RungTimeline timeline = timeline(sample);
    timeline.run();
    bill(timeline, plan.pool.open().instances());
    if (hasFault) {
      costTotals.restore(sums);
      simulateFaults(sample, outcome);
      return;
    }
    counts.set(sample, timeline.tasks);
    counts.setTrials(sample, timeline.begun());
    outcome.add(sample, new double[] {timeline.closingS(), timeline.endS()}, costTotals.groupUsd);
  }

  private void simulateFaults(int sample, Outcome outcome) {
    FaultyCluster faulty = new FaultyCluster(plan.leases, cluster.draws, costTotals, sample);
    FaultyRungRun run = new FaultyRungRun(plan, draws, draws.clocks(sample), faulty);
    run.run();
    counts.set(sample, run.tasks);
    counts.setTrials(sample, run.begun());
    outcome.add(sample, new double[] {run.closingS(), run.endS()}, costTotals.groupUsd);
  }

  /** Returns what happens in the first sample, without lost instances and failed attempts. */
  List<TraceEvent> trace() {
    List<TraceEvent> events = new ArrayList<>();
    RungTimeline timeline = timeline(0);
    timeline.traceTo(events::add);
    timeline.run();
    return events;
  }

  /** Returns the completed DAG of the first sample. */
  CompletedDag dag() {
    List<TraceEvent> events = trace();
    return new RungDagBuilder(events, i -> cluster.runningS[i], i -> cluster.readyS[i]).dag();
  }

  private RungTimeline timeline(int sample) {
    draws.select(sample);
    hasFault = false;
    Arrays.fill(costTotals.groupUsd, 0);
    cluster.reset();
    int instances = plan.pool.open().instances();
    cluster.request(instances, 0, sample);
    RungTimeline timeline =
        new RungTimeline(
            plan.search,
            plan.search.initial(),
            plan.pool,
            Arrays.copyOf(cluster.readyS, instances),
            this);
    plan.stopS.ifPresent(atS -> timeline.stopAt(atS, plan.unitS[OPEN]));
    return timeline;
  }

  private void bill(RungTimeline timeline, int instances) {
    double closingS = timeline.closingS();
    for (int i = 0; i < instances; i++) {
      cluster.recordWork(i, timeline.usedS[OPEN][i], timeline.busyS[OPEN][i]);
    }
    cluster.attributeCost(OPEN, 0, closingS);
    for (int i = 0; i < instances; i++) {
      cluster.recordWork(i, timeline.usedS[CLOSING][i], timeline.busyS[CLOSING][i]);
      cluster.release(i, CLOSING, closingS, timeline.releasedS[i]);
      hasFault |= plan.hasFaults && cluster.isLostBefore(i, timeline.releasedS[i]);
    }
  }

  @Override
  public double seconds(Train task, int gpus, int instance, boolean starts) {
    double unitS = plan.unitS[gpus == plan.pool.open().gpus() ? OPEN : CLOSING];
    double startupS = starts ? draws.startupS(task) : 0;
    double workS = draws.workS(task, unitS);
    double lastsS = startupS + workS * cluster.slowness[instance];
    hasFault |= draws.mayFail(task, lastsS);
    return lastsS;
  }

  @Override
  public OptionalInt targetUnit(int trial) {
    return plan.targetUnits.of(trial);
  }

  @Override
  public double loss(int trial, int rung) {
    return draws.loss(trial, rung);
  }
}
