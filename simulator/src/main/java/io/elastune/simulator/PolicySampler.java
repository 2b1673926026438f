package io.elastune.simulator;

import io.elastune.core.timeline.TimelineRecipient;

/**
 * Simulates a cluster that a policy divides among trials block by block (docs/searches.md,
 * "Scheduling policies of fixed clusters").
 */
final class PolicySampler implements BlockSampler {
  private final PlayedPolicy played;
  private final RungCounts counts;
  private final StopCounts stopCounts;
  private final SampledTimeline sampled;

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
    sampled = new SampledTimeline(played.sampled(), groups, hasFaults);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, sampled.costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    double endS = play(sample);
    stopCounts.set(sample, played.sampled().policy());
    played.count(sample, counts);
    outcome.add(sample, played.endS(sampled.timeline, endS), sampled.costTotals.groupUsd);
  }

  private double play(int sample) {
    played.select(sample);
    return sampled.play(sample);
  }

  /** Plays the first sample without lost instances and failed attempts. */
  static void trace(PlayedPolicy played, int groups, TimelineRecipient recipient) {
    PolicySampler sampler =
        new PolicySampler(played, groups, new RungCounts(0), new StopCounts(), false);
    sampler.sampled.timeline.tracedTo(recipient);
    sampler.play(0);
  }
}
