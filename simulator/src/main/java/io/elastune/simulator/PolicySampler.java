package io.elastune.simulator;

import io.elastune.core.timeline.Faults;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TimelineRecipient;
import java.util.Arrays;

/**
 * Simulates a cluster that a policy divides among trials block by block (docs/searches.md,
 * "Scheduling policies of fixed clusters").
 */
final class PolicySampler implements BlockSampler {
  private final PlayedPolicy played;
  private final RungCounts counts;
  private final StopCounts stopCounts;
  private final CostTotals costTotals;
  private final SampledInstances instances;
  private final SampledFaults faults;
  private final Timeline timeline;

  /**
   * @param groups the groups of the search
   * @param counts receives the number of tasks by rung and sample
   * @param stopCounts receives how often running tasks are ended, by sample
   */
  PolicySampler(PlayedPolicy played, int groups, RungCounts counts, StopCounts stopCounts) {
    this(played, groups, counts, stopCounts, played.hasFaults());
  }

  private PolicySampler(
      PlayedPolicy played,
      int groups,
      RungCounts counts,
      StopCounts stopCounts,
      boolean hasFaults) {
    this.played = played;
    this.counts = counts;
    this.stopCounts = stopCounts;
    costTotals = new CostTotals(groups);
    instances = new SampledInstances(played.leases());
    faults = new SampledFaults(played.leases(), instances, played.clocks(), played::row);
    timeline =
        new Timeline(
                played.search(),
                played.policy(),
                played.times(),
                instances,
                played.gpusPerInstance())
            .withFaults(hasFaults ? faults : Faults.NONE)
            .withBills(new LeaseBills(instances, costTotals));
    played.stopS().ifPresent(timeline::stoppedAt);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    double endS = play(sample);
    stopCounts.set(sample, played.policy());
    played.count(sample, counts);
    outcome.add(sample, played.endS(timeline, endS), costTotals.groupUsd);
  }

  private double play(int sample) {
    Arrays.fill(costTotals.groupUsd, 0);
    instances.select(sample);
    faults.select(sample);
    played.select(sample);
    return timeline.play();
  }

  /** Plays the first sample without lost instances and failed attempts. */
  static void trace(PlayedPolicy played, int groups, TimelineRecipient recipient) {
    PolicySampler sampler =
        new PolicySampler(played, groups, new RungCounts(0), new StopCounts(), false);
    sampler.timeline.tracedTo(recipient);
    sampler.play(0);
  }
}
