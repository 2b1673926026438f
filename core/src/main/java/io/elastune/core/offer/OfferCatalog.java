package io.elastune.core.offer;

import io.elastune.core.Check;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Offers with their origin.
 *
 * @param source who says so, e.g. {@code price list}
 * @param date when: an ISO date or an ISO instant, as it was given
 * @param offers with distinct names
 * @param quotas what the account may hold of them at once
 */
public record OfferCatalog(String source, String date, List<Offer> offers, List<Quota> quotas) {
  public OfferCatalog {
    Check.text("source", source);
    Check.text("date", date);
    offers = List.copyOf(offers);
    quotas = List.copyOf(quotas);
    Set<String> names = new HashSet<>();
    for (Offer offer : offers) {
      Check.that(names.add(offer.name()), "the offer " + offer.name() + " is given twice");
    }
  }

  /** Offers without quotas. */
  public OfferCatalog(String source, String date, List<Offer> offers) {
    this(source, date, offers, List.of());
  }

  /** The same with some of its offers, and what the quotas say of those. */
  public OfferCatalog only(List<Offer> some) {
    Set<String> names = some.stream().map(Offer::name).collect(Collectors.toSet());
    List<Quota> left =
        quotas.stream().map(quota -> quota.only(names)).filter(q -> !q.uses().isEmpty()).toList();
    return new OfferCatalog(source, date, some, left);
  }

  /** The offer of that name. */
  public Optional<Offer> find(String name) {
    return offers.stream().filter(offer -> offer.name().equals(name)).findFirst();
  }
}
