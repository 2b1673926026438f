package io.elastune.executor.decision.forecast;

import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.LeaseUse;
import java.time.Instant;
import java.util.Optional;

/** The bill of one lease at its price, from the timestamps of the cloud. */
final class LeaseBill {
  private final Offer offer;
  private final boolean neverExisted;
  private final Optional<Instant> runningAt;
  private final LeaseUse use;
  private final Instant earliestEnd;

  /**
   * @param offer the offer of the lease; the price is the lease's own
   */
  LeaseBill(Offer offer, LeaseState lease) {
    this(
        offer.usdPerHour() == lease.usdPerHour() ? offer : offer.withUsdPerHour(lease.usdPerHour()),
        lease.neverExisted(),
        lease.runningAt(),
        lease.use(),
        Instant.MIN);
  }

  private LeaseBill(
      Offer offer,
      boolean neverExisted,
      Optional<Instant> runningAt,
      LeaseUse use,
      Instant earliestEnd) {
    this.offer = offer;
    this.neverExisted = neverExisted;
    this.runningAt = runningAt;
    this.use = use;
    this.earliestEnd = earliestEnd;
  }

  /** Returns the bill if the lease is billed from {@code at} on. */
  LeaseBill running(Instant at) {
    return new LeaseBill(offer, false, Optional.of(at), use, earliestEnd);
  }

  /** Returns the bill with another use by trials. */
  LeaseBill with(LeaseUse other) {
    return new LeaseBill(offer, neverExisted, runningAt, other, earliestEnd);
  }

  /** Returns the bill if an end before {@code at} counts as {@code at}. */
  LeaseBill atLeastUntil(Instant at) {
    return new LeaseBill(offer, neverExisted, runningAt, use, at);
  }

  /** Returns the USD that the provider bills if the lease ends at {@code end}. */
  double usd(Instant end) {
    if (neverExisted) {
      return 0;
    }
    Instant last = end.isBefore(earliestEnd) ? earliestEnd : end;
    return LeaseCost.of(offer, 0, runningS(last), usedS(last)).totalUsd();
  }

  /** Returns the USD up to {@code now}, without billing increments and minimum. */
  double accruedUsd(Instant now) {
    return LeaseCost.accrued(offer, 0, runningS(now), usedS(now)).totalUsd();
  }

  private double runningS(Instant end) {
    return runningAt.isPresent() ? Seconds.between(runningAt.get(), end) : 0;
  }

  /** No trial uses a lease for longer than it runs. */
  private double usedS(Instant end) {
    return Math.min(use.usedS(end), Math.max(0, runningS(end)));
  }
}
