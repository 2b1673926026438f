package io.elastune.simulator.timeline;

import io.elastune.core.plan.RentedInstance;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.InstanceTimes;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.instance.LeaseDraws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.instance.OfferRates;
import io.elastune.simulator.instance.Provisioning;
import java.util.Arrays;
import java.util.Optional;

/** The instances of a pool in one sample: when they run and are ready, and how slow they are. */
final class SampledInstances implements InstanceTimes {
  private final LeasePlan leases;
  private final LeaseDraws draws;
  private int sample;
  private int row;
  private int planned;

  /**
   * When the timeline begins, in seconds from the start of the run; NaN if that is the mean time.
   */
  private double beginS = Double.NaN;

  // By number of an instance: the planned lease whose distributions it has, when it was requested,
  // its times, and the hazard until it is lost.
  private int[] lease = new int[8];
  private double[] requestedS = new double[8];
  private Provisioning[] times = new Provisioning[8];
  private int[] failedBoots = new int[8];
  private double[] hazards = new double[8];

  /** By number of an instance: whether it was held before the timeline. */
  private boolean[] wasHeld = new boolean[8];

  SampledInstances(LeasePlan leases) {
    this.leases = leases;
    draws = new LeaseDraws(leases, leases.samples());
  }

  /** Begins a sample. */
  void select(int number) {
    sample = number;
    row = draws.row(sample);
    planned = 0;
  }

  /** Lets the timelines of later samples begin at a time from the start of the run. */
  void beginsAt(double atS) {
    beginS = atS;
  }

  @Override
  public void request(Instance instance, double nowS) {
    int next = planned++;
    int at = row + next;
    Optional<RentedInstance> held = leases.held(next);
    Provisioning drawn = draws.provisioning(at);
    Provisioning known =
        Double.isNaN(beginS) ? drawn : held.map(it -> drawn.of(it, beginS)).orElse(drawn);
    add(instance, next, nowS, known, draws.slowness[at], draws.hazards[at]);
    wasHeld[instance.number()] = held.isPresent();
  }

  @Override
  public void replace(Instance instance, Instance lost, double nowS) {
    int of = lease[lost.number()];
    LeasePlan.Replacement own = leases.replacement(sample, of, instance.number());
    add(instance, of, nowS, own.times(), own.slowness(), own.hazard());
  }

  private void add(
      Instance instance, int of, double nowS, Provisioning drawn, double slowness, double hazard) {
    int number = instance.number();
    if (number >= lease.length) {
      int room = 2 * number;
      lease = Arrays.copyOf(lease, room);
      requestedS = Arrays.copyOf(requestedS, room);
      times = Arrays.copyOf(times, room);
      failedBoots = Arrays.copyOf(failedBoots, room);
      hazards = Arrays.copyOf(hazards, room);
      wasHeld = Arrays.copyOf(wasHeld, room);
    }
    lease[number] = of;
    requestedS[number] = nowS;
    times[number] = drawn;
    failedBoots[number] = 0;
    hazards[number] = hazard;
    wasHeld[number] = false;
    instance.isSlowerBy(slowness);
    boot(instance);
  }

  @Override
  public void reboot(Instance instance) {
    failedBoots[instance.number()]++;
    wasHeld[instance.number()] = false;
    boot(instance);
  }

  private void boot(Instance instance) {
    int number = instance.number();
    Provisioning of = times[number];
    int failed = failedBoots[number];
    instance.boots(
        of.runningS(requestedS[number], failed),
        of.readyS(requestedS[number], failed),
        of.fails(failed));
  }

  /** Returns the hazard until an instance is lost. */
  double hazard(int number) {
    return hazards[number];
  }

  /** Returns an instance that was held before the timeline; empty for another one. */
  Optional<RentedInstance> heldBefore(int number) {
    return wasHeld[number] ? leases.held(lease[number]) : Optional.empty();
  }

  /** Returns the rates of the faults of an instance. */
  FaultHazards rates(int number) {
    return leases.hazards(lease[number]);
  }

  /** Returns the prices of an instance. */
  OfferRates prices(int number) {
    return leases.rates(lease[number]);
  }

  /**
   * Returns when an instance has been running for some time.
   *
   * @param fromS from when on it counts
   * @param lastsS seconds of running from then on, in failed boots too
   */
  double afterRunningS(int number, double fromS, double lastsS) {
    return times[number].afterRunningS(requestedS[number], failedBoots[number], fromS, lastsS);
  }

  /** Returns when the instance whose boot does not fail runs, or would run. */
  double runningS(int number) {
    return requestedS[number] + times[number].queuingS();
  }

  /** Returns when that instance is ready, or would be. */
  double readyS(int number) {
    return runningS(number) + times[number].bootingS();
  }
}
