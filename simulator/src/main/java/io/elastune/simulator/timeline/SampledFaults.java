package io.elastune.simulator.timeline;

import io.elastune.core.timeline.Faults;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.ManagedCluster;
import io.elastune.core.timeline.Task;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.fault.LossClocks;
import io.elastune.simulator.fault.TrialClocks;
import io.elastune.simulator.instance.LeasePlan;
import java.util.Arrays;
import java.util.PrimitiveIterator;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** The faults of the instances of a pool, and of the trials on them, in one sample. */
final class SampledFaults implements Faults {
  private final LeasePlan leases;
  private final SampledInstances instances;
  private final TrialClocks[] clocks;
  private final ToIntFunction<Task> clock;
  private LossClocks lossClocks;
  private int faults;

  /** By number of an instance: the faults that have struck it and did not count. */
  private int[] uncounted = new int[8];

  SampledFaults(SampledSearch of, SampledInstances instances) {
    this.leases = of.leases();
    this.instances = instances;
    this.clocks = of.clocks().toArray(TrialClocks[]::new);
    this.clock = of.clock();
    lossClocks = leases.clocks(0);
  }

  /** Begins a sample. */
  void select(int number) {
    lossClocks = leases.clocks(number);
    faults = 0;
    for (TrialClocks each : clocks) {
      each.read(number);
    }
  }

  @Override
  public double lostS(Instance requested, double nowS) {
    int number = requested.number();
    if (number >= uncounted.length) {
      uncounted = Arrays.copyOf(uncounted, 2 * number);
    }
    uncounted[number] = 0;
    return lostS(number, instances.hazard(number), nowS);
  }

  private double lostS(int number, double hazard, double nowS) {
    double perS = instances.rates(number).instancePerS();
    return perS > 0
        ? instances.afterRunningS(number, nowS, hazard / perS)
        : Double.POSITIVE_INFINITY;
  }

  @Override
  public Loss lostWith(Instance struck, ManagedCluster cluster) {
    int number = struck.number();
    if (!occurs()) {
      struck.lostAt(Double.POSITIVE_INFINITY);
      return Loss.NONE;
    }
    PrimitiveIterator.OfInt running =
        IntStream.range(0, cluster.requested())
            .filter(other -> isRunning(cluster.instance(other), cluster.nowS()))
            .iterator();
    LossClocks.Losses losses =
        lossClocks.losses(number, uncounted[number], running, instances::rates);
    if (losses.lost().length == 0) {
      uncounted[number]++;
      struck.lostAt(lostS(number, losses.nextHazard(), cluster.nowS()));
      return Loss.NONE;
    }
    return new Loss(
        IntStream.of(losses.lost()).mapToObj(cluster::instance).toList(),
        losses.isPreemption() && instances.rates(number).savesAtNotice());
  }

  private static boolean isRunning(Instance instance, double nowS) {
    return instance.isHeld() && instance.runningS() <= nowS;
  }

  /** Counts a fault; returns whether it occurs. */
  private boolean occurs() {
    boolean occurs = faults < FaultHazards.MOST_FAULTS;
    faults += occurs ? 1 : 0;
    return occurs;
  }

  @Override
  public double strikesAfterS(Task task, double passS) {
    return clocks[clock.applyAsInt(task)].untilS(task.trial(), passS);
  }

  @Override
  public double silenceS(Task task, double neededS) {
    return clocks[clock.applyAsInt(task)].silenceS(neededS);
  }

  @Override
  public Strike strike(Task task) {
    TrialClocks own = clocks[clock.applyAsInt(task)];
    if (!occurs()) {
      own.stop(task.trial());
      return Strike.NONE;
    }
    return own.crashes(task.trial()) ? Strike.CRASH : Strike.HANG;
  }
}
