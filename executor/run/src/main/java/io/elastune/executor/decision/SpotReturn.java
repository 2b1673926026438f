package io.elastune.executor.decision;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.executor.decision.model.ObservedLosses;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.SpotDeparture;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Decides whether a run that has left spot capacity may return to it. Two plans with nearly the
 * same prediction would otherwise replace each other at each request, before an instance of either
 * is rented. A return needs evidence that is newer than the departure: less slack used than
 * predicted, faster trials, or a lower rate of preemptions.
 */
final class SpotReturn {
  /** The part of the rate of preemptions at the departure below which the place is better. */
  private static final double RATE = 0.75;

  private SpotReturn() {}

  /**
   * Returns whether a plan returns to spot capacity without new evidence.
   *
   * @param code what the plan changes
   * @param changes by group: the new allocations
   * @param stay the prediction for the present plan
   */
  static boolean isPremature(
      Transition transition, ReasonCode code, Map<String, Allocation> changes, Prediction stay) {
    Optional<SpotDeparture> departure = transition.steering().departure();
    if (code != ReasonCode.SPOT_USED || departure.isEmpty()) {
      return false;
    }
    SpotDeparture then = departure.get();
    double limitS = transition.definition.deadlineS().orElse(then.completionS());
    boolean earlier =
        stay.completionS() < then.completionS() - ReplanTrigger.WORSE_FRACTION * limitS;
    boolean faster = transition.steering().pace().factor() < (1 - ReplanTrigger.PACE) * then.pace();
    return !earlier && !faster && !isPlaceBetter(transition, then, changes);
  }

  private static boolean isPlaceBetter(
      Transition transition, SpotDeparture then, Map<String, Allocation> changes) {
    SortedMap<String, ObservedLosses> now = LeaseLosses.byOffer(transition.snapshot());
    return changes.values().stream()
        .map(allocation -> transition.definition.offer(allocation.offer()))
        .filter(offer -> offer.market() == Market.SPOT)
        .allMatch(offer -> preemptions(offer, now) < RATE * preemptions(offer, then.losses()));
  }

  private static double preemptions(Offer offer, SortedMap<String, ObservedLosses> losses) {
    return ObservedLosses.learned(offer, losses).preemptions().value();
  }

  /** Records that the run adopts a plan, which may leave spot capacity or return to it. */
  static void record(Transition transition, ReasonCode code, Prediction adopted) {
    if (code == ReasonCode.SPOT_LEFT) {
      transition.steering(
          transition
              .steering()
              .with(
                  Optional.of(
                      new SpotDeparture(
                          adopted.completionS(),
                          transition.steering().pace().factor(),
                          LeaseLosses.byOffer(transition.snapshot())))));
    } else if (code == ReasonCode.SPOT_USED) {
      transition.steering(transition.steering().with(Optional.empty()));
    }
  }
}
