package io.elastune.simulator.fault;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.billing.Billing;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.SilenceLimit;
import io.elastune.core.profile.Profile;
import io.elastune.simulator.instance.Draws;

/**
 * The rates of faults of one offer, as hazards per second. Other faults are part of the draws of
 * queues, boots and trials ({@link Draws}).
 *
 * @param failurePerS hazard of a failure, per running instance and second
 * @param preemptionPerS hazard of a preemption, per running instance and second
 * @param crashPerS hazard of a crash, per running attempt and second
 * @param hangPerS hazard of a hang, per running attempt and second
 * @param savesAtNotice whether attempts save a checkpoint after the notice of a preemption
 * @param instances further properties of the faults of instances
 * @param silence after how long attempts are taken to hang
 */
public record FaultHazards(
    double failurePerS,
    double preemptionPerS,
    double crashPerS,
    double hangPerS,
    boolean savesAtNotice,
    InstanceFaultRates instances,
    SilenceLimit silence) {
  /** Most faults of a chain in one sample: at rates that allow no progress, none follow. */
  public static final int MOST_FAULTS = 1000;

  /** Returns the rates of the instances of an offer, and of attempts on them. */
  public static FaultHazards of(Offer offer, Profile profile, SilenceLimit silence) {
    InstanceFaultRates instances = offer.faults();
    TrialFaultRates trials = profile.faults();
    return new FaultHazards(
        perS(instances.failures()),
        perS(instances.preemptions()),
        perS(trials.crashes()),
        perS(trials.hangs()),
        CheckpointSchedule.savesAtNotice(instances, profile),
        instances,
        silence);
  }

  private static double perS(FaultRate perHour) {
    return perHour.value() / Billing.SECONDS_PER_HOUR;
  }

  /** Returns the hazard per running instance and second. */
  public double instancePerS() {
    return failurePerS + preemptionPerS;
  }

  /** Returns the hazard per running attempt and second. */
  public double attemptPerS() {
    return crashPerS + hangPerS;
  }
}
