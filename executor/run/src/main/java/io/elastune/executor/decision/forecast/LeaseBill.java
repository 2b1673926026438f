package io.elastune.executor.decision.forecast;

import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.LeaseState;
import java.time.Instant;

/** The bill of one lease at its price, from the timestamps of the cloud. */
final class LeaseBill {
  private final LeaseState lease;
  private final Offer offer;

  /**
   * @param offer the offer of the lease; the price is the lease's own
   */
  LeaseBill(Offer offer, LeaseState lease) {
    this.lease = lease;
    this.offer =
        offer.usdPerHour() == lease.usdPerHour() ? offer : offer.withUsdPerHour(lease.usdPerHour());
  }

  /** Returns the USD that the provider bills if the lease ends at {@code end}. */
  double usd(Instant end) {
    if (lease.neverExisted()) {
      return 0;
    }
    return LeaseCost.of(offer, 0, runningS(end), usedS(end)).totalUsd();
  }

  /** Returns the USD up to {@code now}, without billing increments and minimum. */
  double accruedUsd(Instant now) {
    return LeaseCost.accrued(offer, 0, runningS(now), usedS(now)).totalUsd();
  }

  private double runningS(Instant end) {
    return lease.runningAt().isPresent() ? Seconds.between(lease.runningAt().get(), end) : 0;
  }

  /** No trial uses a lease for longer than it runs. */
  private double usedS(Instant end) {
    return Math.min(lease.use().usedS(end), Math.max(0, runningS(end)));
  }
}
