package io.elastune.simulator;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.Faults;
import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PhaseSizes;
import io.elastune.core.timeline.RungsRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** Simulates a search made of rungs block by block (docs/searches.md, "Prediction"). */
final class RungSampler implements BlockSampler {
  private static final int OPEN = 0;

  private final RungCounts counts;
  private final CostTotals costTotals = new CostTotals(2);
  private final RungDraws draws;
  private final RungsRun search;
  private final SampledInstances instances;
  private final SampledFaults faults;
  private final Timeline timeline;

  /**
   * @param counts receives the number of tasks by rung and sample
   * @param tasks counts the simulated tasks
   */
  RungSampler(CompiledRungPlan plan, RungCounts counts, SamplingLimit.Counter tasks) {
    this(plan, counts, tasks, plan.hasFaults);
  }

  private RungSampler(
      CompiledRungPlan plan, RungCounts counts, SamplingLimit.Counter tasks, boolean hasFaults) {
    this.counts = counts;
    draws = new RungDraws(plan, tasks);
    search = new RungsRun(plan.search.rule(), plan.search.initial(), plan.unitS[OPEN]);
    instances = new SampledInstances(plan.leases);
    faults =
        new SampledFaults(
            plan.leases,
            instances,
            draws.clocks(),
            task -> plan.faultRow(task.trial(), task.group()));
    PhaseSizes sizes = new PhaseSizes(plan.sizes, search, plan.sizes.open().instances());
    int gpus = plan.sizes.gpusPerInstance();
    timeline =
        new Timeline(
                search,
                new ListPolicy(search, sizes, gpus),
                new RungTimes(plan, draws),
                instances,
                gpus)
            .withFaults(hasFaults ? faults : Faults.NONE)
            .withBills(new LeaseBills(instances, costTotals));
    plan.stopS.ifPresent(timeline::stoppedAt);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    double endS = play(sample);
    counts.set(sample, search.counts().clone());
    counts.setTrials(sample, search.begun());
    outcome.add(sample, new double[] {timeline.phaseStartS(), endS}, costTotals.groupUsd);
  }

  private double play(int sample) {
    Arrays.fill(costTotals.groupUsd, 0);
    draws.select(sample);
    instances.select(sample);
    faults.select(sample);
    return timeline.play();
  }

  /** What happens in the first sample, without lost instances and failed attempts. */
  static final class First {
    private final TraceRecorder recorder = new TraceRecorder(First::described, true);
    private final RungSampler sampler;

    First(CompiledRungPlan plan) {
      int rungs = plan.search.rule().targets().size();
      sampler = new RungSampler(plan, new RungCounts(rungs), SamplingLimit.NONE.counter(), false);
      sampler.timeline.tracedTo(recorder);
      sampler.play(0);
    }

    private static TraceEvent.Task described(Task task) {
      return new TraceEvent.Task(
          task.trial(),
          RungRule.name(task.group()),
          task.from(),
          task.to(),
          task.gpus(),
          1,
          OptionalInt.empty());
    }

    /** Returns the events. */
    List<TraceEvent> trace() {
      return recorder.events();
    }

    /** Returns the completed DAG. */
    CompletedDag dag() {
      return new RungDagBuilder(trace(), sampler.instances::runningS, sampler.instances::readyS)
          .dag();
    }
  }
}
