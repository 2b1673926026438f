package io.elastune.executor.core;

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
public record Market(SortedMap<String, Refused> refused, SortedMap<String, Double> prices) {
  /** The last refusal of an offer, with the cloud's message. */
  public record Refused(Instant at, String why) {}

  static final Market AS_PLANNED = new Market(new TreeMap<>(), new TreeMap<>());

  public Market {
    refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    prices = Collections.unmodifiableSortedMap(new TreeMap<>(prices));
  }

  Market refused(String offer, Instant at, String why) {
    SortedMap<String, Refused> all = new TreeMap<>(refused);
    all.put(offer, new Refused(at, why));
    return new Market(all, prices);
  }

  Market priced(String offer, double usdPerHour) {
    SortedMap<String, Double> all = new TreeMap<>(prices);
    all.put(offer, usdPerHour);
    return new Market(refused, all);
  }

  /** Returns the state after the definition was updated with present prices. */
  Market asDefined() {
    return new Market(refused, new TreeMap<>());
  }
}
