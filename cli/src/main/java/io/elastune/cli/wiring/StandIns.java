package io.elastune.cli.wiring;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What stands in for real offers in the simulated world: the place {@code simulated/PLACE} offers
 * what PLACE does, and nothing is charged.
 */
final class StandIns {
  private static final String PREFIX = Offer.SIMULATED + "/";

  private StandIns() {}

  /** The places that stand in for {@code places}. */
  static List<String> of(List<String> places) {
    return places.stream().map(place -> isSimulated(place) ? place : PREFIX + place).toList();
  }

  /** The places that are stood in for, and those that need nobody to. */
  static List<String> behind(List<String> places) {
    return places.stream()
        .map(place -> place.startsWith(PREFIX) ? place.substring(PREFIX.length()) : place)
        .toList();
  }

  /** Whether any of the offers is of the simulated world's own. */
  static boolean needless(OfferCatalog catalog) {
    return catalog.offers().stream().anyMatch(Offer::inVirtualTime);
  }

  /** The catalog with a stand-in for every offer, if {@code places} ask for any. */
  static Loaded<OfferCatalog> in(Loaded<OfferCatalog> loaded, List<String> places) {
    OfferCatalog catalog = loaded.value();
    if (needless(catalog) || places.stream().noneMatch(StandIns::isSimulated)) {
      return loaded;
    }
    List<Offer> offers = new ArrayList<>(catalog.offers());
    catalog.offers().forEach(offer -> offers.add(offer.simulated()));
    return new Loaded<>(
        loaded.path(),
        loaded.name(),
        loaded.text(),
        new OfferCatalog(
            catalog.source(),
            catalog.date(),
            offers,
            catalog.quotas().stream().map(StandIns::withStandIns).toList()));
  }

  private static Quota withStandIns(Quota quota) {
    Map<String, Integer> uses = new HashMap<>();
    quota.uses().forEach((offer, use) -> andItsStandIn(offer).forEach(n -> uses.put(n, use)));
    return new Quota(quota.name(), quota.unit(), quota.limit(), uses);
  }

  /** The names of an offer and of what stands in for it. */
  static Stream<String> andItsStandIn(String offer) {
    return Stream.of(offer, PREFIX + offer);
  }

  private static boolean isSimulated(String place) {
    return place.equals(Offer.SIMULATED) || place.startsWith(PREFIX);
  }
}
