package io.elastune.executor.decision.model;

import io.elastune.core.billing.Billing;
import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import io.elastune.provisioner.LossReason;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The instances of one offer that a run has lost so far.
 *
 * @param failed instances that failed or lost contact after they had been ready
 * @param preempted instances that were preempted, or will be by their notice
 * @param instanceHours hours from the start of their billing to their release, of all instances
 */
public record ObservedLosses(int failed, int preempted, double instanceHours) {
  private static final ObservedLosses NONE = new ObservedLosses(0, 0, 0);

  /** Returns the losses of all offers of which the run has had running instances, by name. */
  public static SortedMap<String, ObservedLosses> byOffer(RunState state) {
    SortedMap<String, ObservedLosses> all = new TreeMap<>();
    for (LeaseState lease : state.leases().values()) {
      if (lease.runningAt().isPresent()) {
        all.merge(
            lease.offer(), of(lease, lease.runningAt().get(), state.now()), ObservedLosses::plus);
      }
    }
    return all;
  }

  private static ObservedLosses of(LeaseState lease, Instant running, Instant now) {
    Instant end = lease.releasedAt().or(lease::terminatedAt).orElse(now);
    double hours = Math.max(0, Seconds.between(running, end)) / Billing.SECONDS_PER_HOUR;
    return lease
        .loss()
        .map(
            loss ->
                loss == LossReason.PREEMPTED
                    ? new ObservedLosses(0, 1, hours)
                    : new ObservedLosses(lease.readyAt().isPresent() ? 1 : 0, 0, hours))
        .orElseGet(() -> new ObservedLosses(0, 0, hours));
  }

  private ObservedLosses plus(ObservedLosses other) {
    return new ObservedLosses(
        failed + other.failed, preempted + other.preempted, instanceHours + other.instanceHours);
  }

  /** Number of lost instances. */
  public int count() {
    return failed + preempted;
  }

  /**
   * Returns the fault rates of {@code offer} after the losses in {@code observed}: its stated
   * rates, or after a loss the shipped ones, combined with them as with those of earlier runs.
   */
  public static InstanceFaultRates learned(
      Offer offer, SortedMap<String, ObservedLosses> observed) {
    ObservedLosses losses = observed.getOrDefault(offer.name(), NONE);
    if (offer.faults().isNone() && losses.count() == 0) {
      return offer.faults();
    }
    InstanceFaultRates before =
        offer.faults().isNone()
            ? DefaultFaultRates.instances(offer.rentedProvider(), offer.market() == Market.SPOT)
            : offer.faults();
    return before.withObserved(
        losses.failed(), losses.preempted(), losses.instanceHours(), "this run");
  }
}
