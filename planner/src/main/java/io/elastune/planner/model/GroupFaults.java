package io.elastune.planner.model;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.billing.Billing;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;

/**
 * The faults of one group on one size, and the time that each costs (docs/model.md, "Faults"), for
 * the mean-value model.
 *
 * @param failurePerS failures per instance and second
 * @param preemptionPerS preemptions per instance and second
 * @param together probability that a preemption includes another instance
 * @param repeatS mean seconds that a trial on a lost instance repeats: the units since its last
 *     checkpoint and its start-up
 * @param readyS mean seconds until the replacement is ready
 * @param wastedS the part of these seconds that is billed
 * @param attemptPerS crashes and hangs per attempt and second
 * @param attemptLossS mean seconds that such an attempt loses
 * @param torn probability that the last checkpoint of a trial is incomplete
 * @param tornS seconds to repeat it
 * @param request the faults of one request for an instance
 */
record GroupFaults(
    double failurePerS,
    double preemptionPerS,
    double together,
    double repeatS,
    double readyS,
    double wastedS,
    double attemptPerS,
    double attemptLossS,
    double torn,
    double tornS,
    Request request) {
  /** A hung attempt is stopped after three times the seconds that it needed from then on. */
  private static final double HANG_FACTOR = 3;

  /** The least seconds after which an attempt counts as hung. */
  private static final double MIN_HANG_S = 20;

  /** The part of its time that a group may lose before it counts as never ending. */
  private static final double MOST_LOST = 0.95;

  static final GroupFaults NONE =
      new GroupFaults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, new Request(0, 0, 0, 0, 0, 0));

  /**
   * The faults of one request.
   *
   * @param refusal probability that it is refused at first
   * @param refusalS mean seconds until the capacity is available
   * @param bootFailure probability that the instance fails at the end of its boot
   * @param bootFailureS seconds until its replacement is ready
   * @param slowBoot probability of a slow boot
   * @param slowBootS seconds that it takes in addition
   */
  record Request(
      double refusal,
      double refusalS,
      double bootFailure,
      double bootFailureS,
      double slowBoot,
      double slowBootS) {
    static Request of(Offer offer) {
      InstanceFaultRates rates = offer.faults();
      double bootS = offer.bootS().mean();
      double again = 1 / (1 - rates.bootFailure().value());
      return new Request(
          rates.refusal().value(),
          rates.refusalS(),
          rates.bootFailure().value(),
          (offer.queueS().mean() + bootS) * again,
          rates.slowBoot().value(),
          (rates.slowBootFactor() - 1) * bootS);
    }

    boolean isNone() {
      return refusal == 0 && bootFailure == 0 && slowBoot == 0;
    }

    /** Mean seconds by which one instance is ready later. */
    double meanS() {
      return refusal * refusalS + bootFailure * bootFailureS + slowBoot * slowBootS;
    }
  }

  /**
   * Returns the faults of a group.
   *
   * @param workS mean seconds of one trial without its start-up, with its checkpoints
   * @param fromScratch whether a trial that lost its instance starts from its first unit
   * @param checkpoints when its trials save checkpoints
   */
  static GroupFaults of(
      TrialShape trialShape,
      double workS,
      int units,
      boolean fromScratch,
      CheckpointSchedule checkpoints) {
    OfferChoice offerChoice = trialShape.offerChoice();
    Offer offer = offerChoice.offer();
    Profile profile = offerChoice.profile();
    InstanceFaultRates rates = offer.faults();
    TrialFaultRates trials = profile.faults();
    if (rates.isNone() && trials.isNone()) {
      return NONE;
    }
    double startupS = profile.startupS().mean();
    double lostS = fromScratch ? workS / 2 : checkpoints.meanLostS(workS, units);
    double lostAtNoticeS =
        !fromScratch && CheckpointSchedule.savesAtNotice(rates, profile)
            ? workS / units / 2
            : lostS;
    double lostWithInstanceS =
        mean(rates.failures().value(), lostS, rates.preemptions().value(), lostAtNoticeS);
    Request request = Request.of(offer);
    double readyS = offer.queueS().mean() + offer.bootS().mean() + request.meanS();
    double crashes = trials.crashes().value();
    double hangs = trials.hangs().value();
    double hangS =
        Math.max(MIN_HANG_S, HANG_FACTOR * lostS) + profile.checkpointS().mean() + startupS + lostS;
    double attempts = crashes + hangs;
    double billedBootS = offerChoice.billedByUse() ? 0 : offer.bootS().mean();
    return new GroupFaults(
        rates.failures().value() / Billing.SECONDS_PER_HOUR,
        rates.preemptions().value() / Billing.SECONDS_PER_HOUR,
        rates.preemptedTogether(),
        lostWithInstanceS + startupS,
        readyS,
        lostWithInstanceS + startupS + billedBootS,
        attempts / Billing.SECONDS_PER_HOUR,
        attempts == 0 ? 0 : (crashes * (lostS + startupS) + hangs * hangS) / attempts,
        trials.tornCheckpoint().value(),
        startupS + (fromScratch ? workS : workS * checkpoints.lastUnits(units) / units),
        request);
  }

  /** Returns the mean of two times, weighted by their rates. */
  private static double mean(double rate, double seconds, double otherRate, double otherSeconds) {
    return rate + otherRate == 0
        ? seconds
        : (rate * seconds + otherRate * otherSeconds) / (rate + otherRate);
  }

  boolean isNone() {
    return failurePerS == 0
        && preemptionPerS == 0
        && attemptPerS == 0
        && torn == 0
        && request.isNone();
  }

  /** Losses per instance and second without faults; those of the delay are included. */
  double lossesPerS() {
    double perS = failurePerS + preemptionPerS;
    double lost = perS * (repeatS + readyS) + attemptPerS * attemptLossS;
    return perS / (1 - Math.min(MOST_LOST, lost));
  }

  /**
   * The number of instances that are lost independently, at the same rate: preemptions often
   * include several instances.
   */
  double independent(int instances) {
    double perS = failurePerS + preemptionPerS;
    double alone = perS == 0 ? 1 : (failurePerS + preemptionPerS * (1 - together)) / perS;
    return 1 + (instances - 1) * alone;
  }
}
