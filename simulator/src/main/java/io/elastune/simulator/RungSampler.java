package io.elastune.simulator;

import io.elastune.core.search.LearningCurves;
import io.elastune.core.search.RungTimeline;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.TraceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Simulates a search made of rungs block by block, with {@link RungTimeline} as its rules
 * (docs/searches.md, "Prediction").
 */
final class RungSampler implements BlockSampler, RungTimeline.Model {
  private static final int OPEN = 0;
  private static final int CLOSING = 1;

  private final CompiledRungPlan plan;
  private final RungCounts counts;
  private final CostTotals costTotals = new CostTotals(2);
  private final Cluster cluster;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final DrawReader[] noise;
  private final DrawReader quality;
  // The offsets of the current sample.
  private final int[] x;
  private final int[] startup;
  private final int[] noiseAt;
  private int qualityAt;

  /**
   * @param counts receives the number of tasks by rung and sample
   */
  RungSampler(CompiledRungPlan plan, RungCounts counts) {
    this.plan = plan;
    this.counts = counts;
    cluster = new Cluster(plan.leases, costTotals);
    xs = readers(plan.xs);
    startups = readers(plan.startups);
    noise = readers(plan.noise);
    quality = new DrawReader(plan.quality);
    x = new int[xs.length];
    startup = new int[startups.length];
    noiseAt = new int[noise.length];
  }

  private static DrawReader[] readers(List<DrawTable> tables) {
    return tables.stream().map(DrawReader::new).toArray(DrawReader[]::new);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    int end = SampleBlocks.end(block, outcome.samples());
    for (int sample = SampleBlocks.start(block); sample < end; sample++) {
      simulateOne(sample, outcome);
    }
    outcome.addBlockCosts(block, costTotals.takeSums());
  }

  private void simulateOne(int sample, Outcome outcome) {
    RungTimeline timeline = timeline(sample);
    timeline.run();
    bill(timeline, plan.pool.open().instances());
    counts.set(sample, timeline.tasks);
    outcome.add(sample, new double[] {timeline.closingS(), timeline.endS()}, costTotals.groupUsd);
  }

  /** Returns what happens in the first sample. */
  List<TraceEvent> trace() {
    List<TraceEvent> events = new ArrayList<>();
    RungTimeline timeline = timeline(0);
    timeline.traceTo(events::add);
    timeline.run();
    return events;
  }

  private RungTimeline timeline(int sample) {
    for (int i = 0; i < xs.length; i++) {
      x[i] = xs[i].offset(sample);
      startup[i] = startups[i].offset(sample);
    }
    for (int i = 0; i < noise.length; i++) {
      noiseAt[i] = noise[i].offset(sample);
    }
    qualityAt = quality.offset(sample);
    Arrays.fill(costTotals.groupUsd, 0);
    cluster.reset();
    int instances = plan.pool.open().instances();
    cluster.request(instances, 0, sample);
    return new RungTimeline(
        plan.search,
        plan.search.initial(),
        plan.pool,
        Arrays.copyOf(cluster.readyS, instances),
        this);
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
    }
  }

  @Override
  public double seconds(Train task, int gpus, int instance, boolean starts) {
    int row = plan.row(task);
    int trial = task.trial() - 1;
    double unitS = plan.unitS[gpus == plan.pool.open().gpus() ? OPEN : CLOSING];
    double startupS = starts ? startups[row].values()[startup[row] + trial] : 0;
    double factor = xs[row].values()[x[row] + trial];
    double workS =
        plan.ranks
            .curves()
            .map(curves -> curves.work(task.trial(), task.from(), task.to()))
            .map(work -> workS(work, unitS, factor))
            .orElse((task.to() - task.from()) * unitS * factor);
    return startupS + workS * cluster.slowness[instance];
  }

  private double workS(LearningCurves.Work work, double unitS, double factor) {
    double recordedS = work.recordedS() == 0 ? 0 : work.recordedS() * unitS / plan.oneGpuUnitS;
    return recordedS + work.otherUnits() * unitS * factor;
  }

  @Override
  public double loss(int trial, int rung) {
    if (plan.ranks.curves().isPresent()) {
      return plan.ranks.curves().get().loss(trial, plan.search.rule().target(rung));
    }
    return switch (plan.ranks.order()) {
      case FIRST_BEST -> trial;
      case LAST_BEST -> -trial;
      case SAMPLED -> {
        double rho = plan.ranks.correlation();
        double common = quality.values()[qualityAt + trial - 1];
        double own = noise[rung].values()[noiseAt[rung] + trial - 1];
        yield Math.sqrt(rho) * common + Math.sqrt(1 - rho) * own;
      }
    };
  }
}
