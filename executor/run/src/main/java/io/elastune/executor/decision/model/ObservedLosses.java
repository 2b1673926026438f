package io.elastune.executor.decision.model;

import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import java.util.SortedMap;

/**
 * The instances of one offer that a run has lost so far.
 *
 * @param failed instances that failed or lost contact after they had been ready
 * @param preempted instances that were preempted, or will be by their notice
 * @param instanceHours hours from the start of their billing to their release, of all instances
 * @param boots instances that became ready, or failed before
 * @param failedBoots instances that failed before they became ready
 */
public record ObservedLosses(
    int failed, int preempted, double instanceHours, int boots, int failedBoots) {
  private static final ObservedLosses NONE = new ObservedLosses(0, 0, 0, 0, 0);

  /** Returns the sum of these and other losses. */
  public ObservedLosses plus(ObservedLosses other) {
    return new ObservedLosses(
        failed + other.failed,
        preempted + other.preempted,
        instanceHours + other.instanceHours,
        boots + other.boots,
        failedBoots + other.failedBoots);
  }

  /** Number of instances that were lost after they had been ready. */
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
    if (offer.faults().isNone() && losses.count() + losses.failedBoots() == 0) {
      return offer.faults();
    }
    InstanceFaultRates before =
        offer.faults().isNone()
            ? DefaultFaultRates.instances(offer.rentedProvider(), offer.market() == Market.SPOT)
            : offer.faults();
    return before
        .withObserved(losses.failed(), losses.preempted(), losses.instanceHours(), "this run")
        .withObservedBoots(losses.failedBoots(), losses.boots(), "this run");
  }
}
