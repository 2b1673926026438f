package io.elastune.planner;

import io.elastune.core.billing.Billing;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;
import org.jspecify.annotations.Nullable;

/**
 * An offer in the planner's numbers.
 *
 * @param index its place in the menu
 * @param most instances that a chain may hold of it
 */
record Rental(int index, Offer offer, Profile profile, int most) {
  double runningAfterS() {
    return offer.queueS().mean();
  }

  double readyAfterS() {
    return offer.queueS().mean() + offer.bootS().mean();
  }

  double usdPerS() {
    return offer.usdPerHour() / Billing.SECONDS_PER_HOUR;
  }

  /** What a lease costs, less its data-in, which is paid on request. */
  double leaseUsd(double runningS, double releasedS, double usedS) {
    if (!Billing.reachedRunning(runningS, releasedS)) {
      return 0;
    }
    double heldS = releasedS - runningS;
    double countedS = billedByUse() ? usedS : heldS;
    return Billing.billedSeconds(offer.billing(), countedS) * usdPerS()
        + offer.billing().perUseUsd()
        + heldS * offer.diskUsdPerHour() / Billing.SECONDS_PER_HOUR;
  }

  boolean billedByUse() {
    return offer.billing().per() == BillingTerms.Per.USE;
  }

  /** Whether anything on it differs from draw to draw. */
  boolean varies() {
    return profile.trialCv() > 0
        || profile.unitCv() > 0
        || profile.startupS().cv() > 0
        || profile.straggler().probability() > 0
        || !profile.samples().isEmpty()
        || profile.instanceCv() > 0
        || profile.instanceStraggler().probability() > 0
        || offer.queueS().cv() > 0
        || offer.bootS().cv() > 0;
  }

  /** Rentals of one menu: the index tells, and quickly. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Rental rental && rental.index == index;
  }

  @Override
  public int hashCode() {
    return index;
  }
}
