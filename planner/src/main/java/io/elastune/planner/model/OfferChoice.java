package io.elastune.planner.model;

import io.elastune.core.billing.Billing;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;
import org.jspecify.annotations.Nullable;

/**
 * An offer with its profile, as the planner uses it.
 *
 * @param index its index in the choice set
 * @param maxInstances instances that a chain may hold of it
 */
public record OfferChoice(int index, Offer offer, Profile profile, int maxInstances) {
  double runningAfterS() {
    return offer.queueS().mean();
  }

  public double readyAfterS() {
    return offer.queueS().mean() + offer.bootS().mean();
  }

  /**
   * Returns a lower bound of the mean seconds until the first of so many instances is ready, all of
   * which are requested at once.
   */
  public double firstReadyAfterS(int instances) {
    return offer.queueS().mean() * InstanceFactors.leastFactor(offer.queueS().cv(), instances)
        + leastBootS(instances);
  }

  /** Returns a lower bound of the mean seconds that the first of so many instances boots. */
  private double leastBootS(int instances) {
    return offer.bootS().mean() * InstanceFactors.leastFactor(offer.bootS().cv(), instances);
  }

  /**
   * Returns a lower bound of the mean cost of so many instances that are held from the start to the
   * end of a plan. An instance that is not ready at the end costs little, so the bound includes the
   * boot of the first one only.
   *
   * @param busyS lower bound of the sum of the seconds in which a trial runs on each of them
   */
  public double leastHeldUsd(int instances, double busyS) {
    double bootS = billedByUse() ? 0 : leastBootS(instances);
    return instances * offer.dataInUsd() + accruedUsd(bootS + busyS, busyS);
  }

  /** Returns the mean speed of an instance relative to that of its profile, at least 1. */
  public double meanSpeed() {
    return InstanceFactors.meanSpeed(profile);
  }

  /** Returns whether instances can be lost, or trials can crash or hang. */
  public boolean hasFaults() {
    return !offer.faults().isNone() || !profile.faults().isNone();
  }

  public double usdPerS() {
    return offer.usdPerHour() / Billing.SECONDS_PER_HOUR;
  }

  /** Returns the cost of a lease without data-in, which is paid on request. */
  public double leaseUsd(double runningS, double releasedS, double usedS) {
    return leaseUsd(offer, runningS, releasedS, usedS);
  }

  /** Returns the mean cost of a lease whose billed seconds have a standard deviation. */
  double leaseUsd(double runningS, double releasedS, double usedS, double deviationS) {
    if (deviationS == 0 || !Billing.reachedRunning(runningS, releasedS)) {
      return leaseUsd(runningS, releasedS, usedS);
    }
    double heldS = releasedS - runningS;
    return ExpectedBilling.billedS(offer.billing(), billedByUse() ? usedS : heldS, deviationS)
            * usdPerS()
        + offer.billing().perUseUsd()
        + heldS * offer.diskUsdPerHour() / Billing.SECONDS_PER_HOUR;
  }

  /** Returns the cost of a lease of an offer that need not be on a choice set. */
  static double leaseUsd(Offer offer, double runningS, double releasedS, double usedS) {
    if (!Billing.reachedRunning(runningS, releasedS)) {
      return 0;
    }
    double heldS = releasedS - runningS;
    double countedS = offer.billing().per() == BillingTerms.Per.USE ? usedS : heldS;
    return Billing.billedSeconds(offer.billing(), countedS)
            * offer.usdPerHour()
            / Billing.SECONDS_PER_HOUR
        + offer.billing().perUseUsd()
        + heldS * offer.diskUsdPerHour() / Billing.SECONDS_PER_HOUR;
  }

  /** Returns the cost of a lease so far, by the exact second, without increments or minimum. */
  double accruedUsd(double heldS, double usedS) {
    return heldS <= 0
        ? 0
        : (billedByUse() ? usedS : heldS) * usdPerS()
            + heldS * offer.diskUsdPerHour() / Billing.SECONDS_PER_HOUR
            + offer.billing().perUseUsd();
  }

  /** Returns the cost of one more instance before it is ready. */
  public double newInstanceUsd() {
    double bootS = billedByUse() ? 0 : offer.bootS().mean();
    return offer.dataInUsd() + accruedUsd(bootS, 0);
  }

  public boolean billedByUse() {
    return offer.billing().per() == BillingTerms.Per.USE;
  }

  /** Whether any of its quantities varies randomly. */
  public boolean varies() {
    return profile.trialCv() > 0
        || profile.unitCv() > 0
        || profile.startupS().cv() > 0
        || profile.straggler().probability() > 0
        || !profile.samples().isEmpty()
        || profile.instanceCv() > 0
        || profile.runCv() > 0
        || profile.instanceStraggler().probability() > 0
        || offer.queueS().cv() > 0
        || offer.bootS().cv() > 0
        || hasFaults();
  }

  /** Compares offers of one choice set by index, which is fast. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OfferChoice offerChoice && offerChoice.index == index;
  }

  @Override
  public int hashCode() {
    return index;
  }
}
