package io.elastune.executor.core;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has been learned of offers since the run began, or was last gone on with.
 *
 * @param refused by offer: when it was last refused for want of capacity or quota, and why
 * @param prices by offer: dollars an hour that the cloud has told of its latest instance, where
 *     that is not what the definition says
 */
public record Market(SortedMap<String, Refused> refused, SortedMap<String, Double> prices) {
  /** The last time that an offer was not to be had, in the cloud's words. */
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

  /** The definition has been brought up to date. */
  Market asDefined() {
    return new Market(refused, new TreeMap<>());
  }
}
