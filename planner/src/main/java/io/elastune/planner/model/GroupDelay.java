package io.elastune.planner.model;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;

/**
 * The time by which faults will delay the end of a group in progress.
 *
 * @param meanS mean seconds
 * @param varianceS2 variance in seconds squared
 */
public record GroupDelay(double meanS, double varianceS2) {
  /** No delay. */
  public static final GroupDelay NONE = new GroupDelay(0, 0);

  /**
   * Returns the delay of the rest of a group.
   *
   * @param left its remaining trials and their mean number of units
   * @param durationS seconds until its end without faults
   */
  public static GroupDelay of(
      Offer offer, Profile profile, Allocation allocation, TrialGroup left, double durationS) {
    int instances = allocation.instances();
    OfferChoice offerChoice = new OfferChoice(0, offer, profile, instances);
    int gpus = allocation.gpusPerTrial();
    int sharing = allocation.trialsPerGpu();
    int perTeam = sharing > 1 ? sharing * offer.gpus() : Math.max(1, offer.gpus() / gpus);
    TrialShape shape =
        new TrialShape(0, offerChoice, gpus, sharing, perTeam, Math.max(1, gpus / offer.gpus()));
    double unitS = profile.secondsPerUnit(gpus, sharing).orElseThrow();
    CheckpointSchedule checkpoints = CheckpointSchedule.of(left, offer, profile, allocation);
    double workS = unitS * left.units() + checkpoints.overheadS();
    GroupFaults faults =
        GroupFaults.of(shape, workS, left.units(), left.fromScratch(), checkpoints);
    if (faults.isNone() || durationS <= 0) {
      return NONE;
    }
    int used = Math.min(instances, shape.instancesFor(left.trials()));
    int slots = Math.max(1, Math.min(left.trials(), used / shape.team() * perTeam));
    double trialS = profile.startupS().mean() + workS;
    FaultDelay delay = new FaultDelay();
    delay.run(
        faults,
        new FaultDelay.Course(
            durationS,
            left.trials() <= slots ? durationS : Math.min(durationS, trialS),
            DurationSpread.of(shape, workS, left.units()).maximumS(0, 1, slots),
            used,
            0,
            slots,
            left.trials(),
            shape.team()));
    return new GroupDelay(delay.meanS(), delay.varianceS2());
  }

  /** Returns the seconds within which the delay stays with a probability. */
  public double safeS(double confidence) {
    return meanS + Math.max(0, StandardNormal.quantile(confidence)) * Math.sqrt(varianceS2);
  }
}
