package io.elastune.simulator;

import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PhaseSizes;
import io.elastune.core.timeline.RungsRun;
import java.util.List;

/** Simulates a search made of rungs block by block (docs/searches.md, "Prediction"). */
final class RungSampler implements BlockSampler {
  private static final int OPEN = 0;
  private static final int PHASES = 2;

  private final RungCounts counts;
  private final RungDraws draws;
  private final RungsRun search;
  private final SampledTimeline sampled;

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
    PhaseSizes sizes = new PhaseSizes(plan.sizes, search, plan.sizes.open().instances());
    int gpus = plan.sizes.gpusPerInstance();
    sampled =
        new SampledTimeline(
            new SampledSearch(
                plan.leases,
                gpus,
                search,
                new ListPolicy(search, sizes, gpus),
                new RungTimes(plan, draws),
                draws.clocks(),
                task -> plan.faultRow(task.trial(), task.group()),
                plan.stopS),
            PHASES,
            hasFaults);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, sampled.costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    double endS = play(sample);
    counts.set(sample, search.counts().clone());
    counts.setTrials(sample, search.begun());
    outcome.add(
        sample, new double[] {sampled.timeline.phaseStartS(), endS}, sampled.costTotals.groupUsd);
  }

  private double play(int sample) {
    draws.select(sample);
    return sampled.play(sample);
  }

  /** What happens in the first sample, without lost instances and failed attempts. */
  static final class First {
    private final TraceRecorder recorder =
        new TraceRecorder(task -> PlayedRungs.described(task, 0, task.units()), true);
    private final RungSampler sampler;

    First(CompiledRungPlan plan) {
      int rungs = plan.search.rule().targets().size();
      sampler = new RungSampler(plan, new RungCounts(rungs), SamplingLimit.NONE.counter(), false);
      sampler.sampled.timeline.tracedTo(recorder);
      sampler.play(0);
    }

    /** Returns the events. */
    List<TraceEvent> trace() {
      return recorder.events();
    }

    /** Returns the completed DAG. */
    CompletedDag dag() {
      return new RungDagBuilder(
              trace(), sampler.sampled.instances::runningS, sampler.sampled.instances::readyS)
          .dag();
    }
  }
}
