package io.elastune.core.offer;

import io.elastune.core.Check;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Offers with their origin.
 *
 * @param source who says so, e.g. {@code price list}
 * @param date when: an ISO date or an ISO instant, as it was given
 * @param offers with distinct names
 */
public record OfferCatalog(String source, String date, List<Offer> offers) {
  public OfferCatalog {
    Check.text("source", source);
    Check.text("date", date);
    offers = List.copyOf(offers);
    Set<String> names = new HashSet<>();
    for (Offer offer : offers) {
      Check.that(names.add(offer.name()), "the offer " + offer.name() + " is given twice");
    }
  }

  /** The offer of that name. */
  public Optional<Offer> find(String name) {
    return offers.stream().filter(offer -> offer.name().equals(name)).findFirst();
  }
}
