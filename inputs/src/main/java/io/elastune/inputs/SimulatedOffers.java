package io.elastune.inputs;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Creates simulated copies of real offers. The location {@code simulated/PLACE} has the offers of
 * PLACE, and nothing is charged.
 */
final class SimulatedOffers {
  private static final String PREFIX = Offer.SIMULATED + "/";

  private SimulatedOffers() {}

  /** Returns the simulated locations for {@code places}. */
  static List<String> simulatedPlaces(List<String> places) {
    return places.stream().map(place -> isSimulated(place) ? place : PREFIX + place).toList();
  }

  /** Returns the real locations behind {@code places}; other locations are unchanged. */
  static List<String> realPlaces(List<String> places) {
    return places.stream()
        .map(place -> place.startsWith(PREFIX) ? place.substring(PREFIX.length()) : place)
        .toList();
  }

  /** Returns whether the catalog has simulated offers already. */
  static boolean hasSimulatedOffers(OfferCatalog catalog) {
    return catalog.offers().stream().anyMatch(Offer::isSimulated);
  }

  /** Adds a simulated copy of every offer, if {@code places} has a simulated location. */
  static LoadedFile<OfferCatalog> addTo(LoadedFile<OfferCatalog> loadedFile, List<String> places) {
    OfferCatalog catalog = loadedFile.value();
    if (hasSimulatedOffers(catalog) || places.stream().noneMatch(SimulatedOffers::isSimulated)) {
      return loadedFile;
    }
    List<Offer> offers = new ArrayList<>(catalog.offers());
    catalog.offers().forEach(offer -> offers.add(offer.toSimulated()));
    return loadedFile.with(
        new OfferCatalog(
            catalog.source(),
            catalog.date(),
            offers,
            catalog.quotas().stream().map(SimulatedOffers::withSimulated).toList(),
            catalog.notes(),
            withSimulatedNames(catalog.priceDates())));
  }

  private static <V> Map<String, V> withSimulatedNames(Map<String, V> byOffer) {
    Map<String, V> all = new HashMap<>();
    byOffer.forEach((offer, value) -> withSimulatedName(offer).forEach(n -> all.put(n, value)));
    return all;
  }

  private static Quota withSimulated(Quota quota) {
    return new Quota(quota.name(), quota.unit(), quota.limit(), withSimulatedNames(quota.uses()));
  }

  /** Returns the names of an offer and of its simulated copy. */
  static Stream<String> withSimulatedName(String offer) {
    return Stream.of(offer, PREFIX + offer);
  }

  private static boolean isSimulated(String place) {
    return place.equals(Offer.SIMULATED) || place.startsWith(PREFIX);
  }
}
