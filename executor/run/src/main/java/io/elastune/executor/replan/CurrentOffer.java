package io.elastune.executor.replan;

import io.elastune.core.offer.Offer;
import io.elastune.executor.decision.model.ObservedLosses;
import io.elastune.executor.decision.model.ReplanRequest;

/** An offer as a run sees it now. */
final class CurrentOffer {
  private CurrentOffer() {}

  /** Returns an offer with its latest price and with what the run has learned of its faults. */
  static Offer of(ReplanRequest replanRequest, Offer offer) {
    Double now = replanRequest.prices().get(offer.name());
    Offer priced = now == null ? offer : offer.withUsdPerHour(now);
    return priced.withFaults(ObservedLosses.learned(offer, replanRequest.losses()));
  }
}
