package io.elastune.executor.decision.model;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The availability and prices of offers, as observed since the run started or was last resumed.
 *
 * @param refused by offer: when and why it was last refused for lack of capacity or quota
 * @param prices by offer: USD per hour that the cloud charged for its latest instance, where this
 *     differs from the definition
 */
public record OfferAvailability(
    SortedMap<String, RefusedOffer> refused, SortedMap<String, Double> prices) {
  /** The last refusal of an offer, with the cloud's message. */
  public record RefusedOffer(Instant at, String why) {}

  static final OfferAvailability AS_PLANNED =
      new OfferAvailability(new TreeMap<>(), new TreeMap<>());

  public OfferAvailability {
    refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    prices = Collections.unmodifiableSortedMap(new TreeMap<>(prices));
  }

  public OfferAvailability refused(String offer, Instant at, String why) {
    SortedMap<String, RefusedOffer> all = new TreeMap<>(refused);
    all.put(offer, new RefusedOffer(at, why));
    return new OfferAvailability(all, prices);
  }

  public OfferAvailability priced(String offer, double usdPerHour) {
    SortedMap<String, Double> all = new TreeMap<>(prices);
    all.put(offer, usdPerHour);
    return new OfferAvailability(refused, all);
  }

  /** Returns the state after the definition was updated with present prices. */
  OfferAvailability withoutPrices() {
    return new OfferAvailability(refused, new TreeMap<>());
  }
}
