package io.elastune.executor.decision.model;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.allocation.TrialsAtOnce;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.DurationMoments;
import io.elastune.core.profile.Profile;

/**
 * The predicted duration of one trial with an allocation, and its variance.
 *
 * @param startupS mean seconds until its first unit starts
 * @param startupVarianceS2 variance of these seconds
 * @param unitS mean seconds per unit
 * @param trialScv squared coefficient of variation that all units of an attempt share
 * @param unitScv squared coefficient of variation of single units
 */
public record TrialDuration(
    double startupS, double startupVarianceS2, double unitS, double trialScv, double unitScv) {
  /** Returns the duration of a trial of {@code group}, with its checkpoints between units. */
  public static TrialDuration of(
      TrialGroup group, Offer offer, Profile profile, Allocation allocation) {
    double overheadS = CheckpointSchedule.of(group, offer, profile, allocation).overheadS();
    Profile own = TrialsAtOnce.of(profile, group, offer, allocation);
    return of(own, allocation, overheadS / group.units());
  }

  /** Returns the duration of a trial that needs no time for checkpoints between units. */
  public static TrialDuration of(Profile profile, Allocation allocation) {
    return of(profile, allocation, 0);
  }

  private static TrialDuration of(Profile profile, Allocation allocation, double overheadS) {
    double unitS =
        profile.secondsPerUnit(allocation.gpusPerTrial(), allocation.trialsPerGpu()).orElseThrow()
            + overheadS;
    double startupS = profile.startupS().mean();
    return new TrialDuration(
        startupS,
        square(startupS * profile.startupS().cv()),
        unitS,
        trialScv(profile),
        profile.samples().isEmpty() ? square(profile.unitCv()) : 0);
  }

  /** Returns the same duration with a start-up that is longer by {@code shiftS} seconds. */
  public TrialDuration withStartupShift(double shiftS) {
    return new TrialDuration(
        Math.max(0, startupS + shiftS), startupVarianceS2, unitS, trialScv, unitScv);
  }

  /** Returns the same duration with another time per unit. */
  TrialDuration withUnitS(double otherS) {
    return new TrialDuration(startupS, startupVarianceS2, otherS, trialScv, unitScv);
  }

  /** The variation between instances counts as variation between trials. */
  private static double trialScv(Profile profile) {
    return DurationMoments.trialWithoutUnits(profile, 2) * DurationMoments.instance(profile, 2) - 1;
  }

  private static double square(double value) {
    return value * value;
  }

  /** Returns the seconds for {@code count} units at {@code pace} times the predicted unit time. */
  public double seconds(int count, double pace) {
    return startupS + count * unitS * pace;
  }

  /** Returns the variance of the seconds for {@code count} units of one attempt. */
  public double varianceS2(int count) {
    return square(unitS) * (square(count) * trialScv + count * unitScv);
  }
}
