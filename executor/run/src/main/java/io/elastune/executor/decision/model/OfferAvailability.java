package io.elastune.executor.decision.model;

import io.elastune.provisioner.RefusalReason;
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
 * @param waits by index of the chain: the chains that wait for capacity
 */
public record OfferAvailability(
    SortedMap<String, RefusedOffer> refused,
    SortedMap<String, Double> prices,
    SortedMap<Integer, CapacityWait> waits) {
  /** The last refusal of an offer, with the cloud's message. */
  public record RefusedOffer(Instant at, RefusalReason reason, String why) {}

  static final OfferAvailability AS_PLANNED =
      new OfferAvailability(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  public OfferAvailability {
    refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    prices = Collections.unmodifiableSortedMap(new TreeMap<>(prices));
    waits = Collections.unmodifiableSortedMap(new TreeMap<>(waits));
  }

  public OfferAvailability refused(String offer, RefusedOffer refusal) {
    SortedMap<String, RefusedOffer> all = new TreeMap<>(refused);
    all.put(offer, refusal);
    return new OfferAvailability(all, prices, waits);
  }

  public OfferAvailability priced(String offer, double usdPerHour) {
    SortedMap<String, Double> all = new TreeMap<>(prices);
    all.put(offer, usdPerHour);
    return new OfferAvailability(refused, all, waits);
  }

  /** Returns the state after the definition was updated with present prices. */
  OfferAvailability withoutPrices() {
    return new OfferAvailability(refused, new TreeMap<>(), waits);
  }

  /** Returns the state in which every offer may be requested again. */
  public OfferAvailability withoutRefusals() {
    return new OfferAvailability(new TreeMap<>(), prices, waits);
  }

  public OfferAvailability waiting(int chain, CapacityWait wait) {
    SortedMap<Integer, CapacityWait> all = new TreeMap<>(waits);
    all.put(chain, wait);
    return new OfferAvailability(refused, prices, all);
  }

  public OfferAvailability notWaiting(int chain) {
    SortedMap<Integer, CapacityWait> all = new TreeMap<>(waits);
    all.remove(chain);
    return new OfferAvailability(refused, prices, all);
  }
}
