package io.elastune.simulator.timeline;

import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PhaseSizes;
import io.elastune.core.timeline.RungsRun;
import io.elastune.core.timeline.Task;
import io.elastune.simulator.sample.Outcome;
import io.elastune.simulator.sample.RungCounts;
import io.elastune.simulator.sample.SampleCounters;

/** Simulates a search made of rungs block by block (docs/searches.md, "Prediction"). */
final class RungSampler implements TimelineSampler {
  private static final int OPEN = 0;
  private static final int PHASES = 2;

  private final CompiledRungPlan plan;
  private final RungCounts counts;
  private final RungDraws draws;
  private final RungsRun search;
  private final SampledTimeline sampled;

  /**
   * @param hasFaults whether instances are lost and trials fail
   */
  RungSampler(CompiledRungPlan plan, SampleCounters counters, boolean hasFaults) {
    this.plan = plan;
    counts = counters.rungs();
    draws = new RungDraws(plan, counters.tasks());
    search = new RungsRun(plan.search.rule(), plan.search.initial(), plan.unitS[OPEN]);
    if (plan.keepAlive) {
      var unused = search.withPlaces();
    }
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
                hasFaults)
            .keepingAlive(plan.keepAlive);
  }

  @Override
  public void simulateOne(int sample, Outcome outcome) {
    double endS = play(sample);
    counts.set(sample, search.counts().clone());
    counts.setTrials(sample, search.begun());
    outcome.add(
        sample, new double[] {sampled.timeline.phaseStartS(), endS}, sampled.costTotals.groupUsd);
    outcome.setResult(sample, plan.hasResult(search, endS));
  }

  @Override
  public SampledTimeline sampled() {
    return sampled;
  }

  @Override
  public double play(int sample) {
    draws.select(sample);
    return sampled.play(sample);
  }

  @Override
  public double unitS(Task task) {
    return plan.unitS(task.gpus());
  }

  @Override
  public int group(Task task) {
    return search.phase();
  }
}
