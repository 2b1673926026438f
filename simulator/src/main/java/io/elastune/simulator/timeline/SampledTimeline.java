package io.elastune.simulator.timeline;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.timeline.Faults;
import io.elastune.core.timeline.Timeline;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.sample.JointSamples;
import java.util.Arrays;
import java.util.function.IntConsumer;
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
    this(of, new CostTotals(groups), hasFaults);
  }

  /** Creates one that adds to the sums of others. */
  SampledTimeline(SampledSearch of, CostTotals totals, boolean hasFaults) {
    costTotals = totals;
    instances = new SampledInstances(of.leases());
    faults = new SampledFaults(of, instances);
    timeline =
        new Timeline(of.search(), of.policy(), of.times(), instances, of.gpusPerInstance())
            .withFaults(hasFaults ? faults : Faults.NONE)
            .withBills(new LeaseBills(instances, costTotals));
    of.stopS().ifPresent(timeline::stoppedAt);
  }

  /**
   * Lets the programs of trials wait for their next tasks.
   *
   * @param waits whether they do
   */
  SampledTimeline keepingAlive(boolean waits) {
    if (waits) {
      var unused = timeline.withPlaces(true);
    }
    return this;
  }

  /** Plays a sample, whose draws of trials have been selected; returns when the search ended. */
  public double play(int sample) {
    begin(sample);
    return timeline.play();
  }

  /** Begins a sample, whose draws of trials have been selected; running tasks may be added. */
  void begin(int sample) {
    Arrays.fill(costTotals.groupUsd, 0);
    instances.select(sample);
    faults.select(sample);
    timeline.begin();
  }

  /**
   * Samples the rest of a run. Seconds count from the start of the run, and USD are those of the
   * whole run.
   *
   * @param atS the present time
   * @param usd cost that is the same in all samples
   * @param running costs by the time from the start to the end of the run
   * @param begin begins a sample
   */
  JointSamples rest(int samples, double atS, double usd, HourlyCosts running, IntConsumer begin) {
    double[] completionS = new double[samples];
    double[] costUsd = new double[samples];
    for (int sample = 0; sample < samples; sample++) {
      begin.accept(sample);
      completionS[sample] = atS + timeline.play();
      costUsd[sample] =
          usd + running.usd(completionS[sample]) + DoubleStream.of(costTotals.groupUsd).sum();
    }
    return new JointSamples(completionS, costUsd);
  }
}
