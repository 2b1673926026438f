package io.elastune.simulator;

import io.elastune.core.billing.Billing;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;

/**
 * The rates of faults of one offer, as hazards: per second, or for one request, boot or checkpoint.
 *
 * @param failurePerS hazard of a failure, per running instance and second
 * @param preemptionPerS hazard of a preemption, per running instance and second
 * @param refusal hazard of a refusal, per request
 * @param bootFailure hazard of a boot failure, per request
 * @param slowBoot hazard of a slow boot, per request
 * @param crashPerS hazard of a crash, per running attempt and second
 * @param hangPerS hazard of a hang, per running attempt and second
 * @param torn hazard of a torn checkpoint, per trial and group
 * @param instances further properties of the faults of instances
 */
record FaultHazards(
    double failurePerS,
    double preemptionPerS,
    double refusal,
    double bootFailure,
    double slowBoot,
    double crashPerS,
    double hangPerS,
    double torn,
    InstanceFaultRates instances) {

  static FaultHazards of(Offer offer, Profile profile) {
    InstanceFaultRates instances = offer.faults();
    TrialFaultRates trials = profile.faults();
    return new FaultHazards(
        perS(instances.failures()),
        perS(instances.preemptions()),
        once(instances.refusal()),
        once(instances.bootFailure()),
        once(instances.slowBoot()),
        perS(trials.crashes()),
        perS(trials.hangs()),
        once(trials.tornCheckpoint()),
        instances);
  }

  private static double perS(FaultRate perHour) {
    return perHour.value() / Billing.SECONDS_PER_HOUR;
  }

  private static double once(FaultRate probability) {
    return -Math.log1p(-probability.value());
  }

  /** Returns the hazard per running instance and second. */
  double instancePerS() {
    return failurePerS + preemptionPerS;
  }

  /** Returns the hazard of a request. */
  double request() {
    return refusal + bootFailure + slowBoot;
  }

  /** Returns the hazard per running attempt and second. */
  double attemptPerS() {
    return crashPerS + hangPerS;
  }
}
