package io.elastune.simulator.timeline;

import io.elastune.core.timeline.Faults;
import io.elastune.core.timeline.Timeline;
import io.elastune.simulator.instance.CostTotals;
import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Plays a search sample by sample, with its instances, its faults and its bills. */
public final class SampledTimeline {
  /** The costs of the sample that was played last. */
  public final CostTotals costTotals;

  final SampledInstances instances;
  final Timeline timeline;
  private final SampledFaults faults;

  /**
   * @param groups the groups or phases to which cost is attributed
   * @param hasFaults whether instances are lost and trials fail
   */
  public SampledTimeline(SampledSearch of, int groups, boolean hasFaults) {
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
  public double play(int sample) {
    select(sample);
    return timeline.play();
  }

  /** Begins a sample, whose draws of trials have been selected; running tasks may be added. */
  void begin(int sample) {
    select(sample);
    timeline.begin();
  }

  private void select(int sample) {
    Arrays.fill(costTotals.groupUsd, 0);
    instances.select(sample);
    faults.select(sample);
  }

  /** Returns the cost in USD of all instances in the sample that was played last. */
  double usd() {
    return DoubleStream.of(costTotals.groupUsd).sum();
  }
}
