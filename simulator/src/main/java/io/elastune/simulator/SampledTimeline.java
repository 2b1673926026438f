package io.elastune.simulator;

import io.elastune.core.timeline.Faults;
import io.elastune.core.timeline.Timeline;
import java.util.Arrays;

/** Plays a search sample by sample, with its instances, its faults and its bills. */
final class SampledTimeline {
  /** The costs of the sample that was played last. */
  final CostTotals costTotals;

  final SampledInstances instances;
  final Timeline timeline;
  private final SampledFaults faults;

  /**
   * @param groups the groups or phases to which cost is attributed
   * @param hasFaults whether instances are lost and trials fail
   */
  SampledTimeline(SampledSearch of, int groups, boolean hasFaults) {
    costTotals = new CostTotals(groups);
    instances = new SampledInstances(of.leases());
    faults = new SampledFaults(of, instances);
    timeline =
        new Timeline(of.search(), of.policy(), of.times(), instances, of.gpusPerInstance())
            .withFaults(hasFaults ? faults : Faults.NONE)
            .withBills(new LeaseBills(instances, costTotals));
    of.stopS().ifPresent(timeline::stoppedAt);
  }

  /** Plays a sample, whose draws of trials have been selected; returns when the search ended. */
  double play(int sample) {
    Arrays.fill(costTotals.groupUsd, 0);
    instances.select(sample);
    faults.select(sample);
    return timeline.play();
  }
}
