package io.elastune.simulator.timeline;

import io.elastune.core.timeline.Task;
import io.elastune.simulator.sample.Outcome;
import io.elastune.simulator.sample.RungCounts;
import io.elastune.simulator.sample.SampleCounters;
import io.elastune.simulator.sample.StopCounts;

/**
 * Simulates a cluster that a policy divides among trials block by block (docs/searches.md,
 * "Scheduling policies of fixed clusters").
 */
final class PolicySampler implements TimelineSampler {
  private final PlayedPolicy played;
  private final RungCounts counts;
  private final StopCounts stopCounts;
  private final SampledTimeline sampled;

  /**
   * @param groups the groups of the search
   * @param hasFaults whether instances are lost and trials fail, if the plan has faults
   */
  PolicySampler(PlayedPolicy played, int groups, SampleCounters counters, boolean hasFaults) {
    this.played = played;
    counts = counters.rungs();
    stopCounts = counters.stops();
    sampled =
        new SampledTimeline(played.sampled(), groups, hasFaults && played.hasFaults())
            .keepingAlive(played.keepAlive());
  }

  @Override
  public void simulateOne(int sample, Outcome outcome) {
    double endS = play(sample);
    stopCounts.set(sample, played.sampled().policy());
    played.count(sample, counts);
    outcome.add(sample, played.endS(sampled.timeline, endS), sampled.costTotals.groupUsd);
    outcome.setResult(sample, played.hasResult(sampled.timeline, endS));
  }

  @Override
  public SampledTimeline sampled() {
    return sampled;
  }

  @Override
  public double play(int sample) {
    played.select(sample);
    return sampled.play(sample);
  }

  @Override
  public double unitS(Task task) {
    return played.unitS(task);
  }

  @Override
  public int group(Task task) {
    return played.group(task);
  }
}
