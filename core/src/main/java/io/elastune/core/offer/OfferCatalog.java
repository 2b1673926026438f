package io.elastune.core.offer;

import io.elastune.core.Preconditions;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Items;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A list of offers with its source, date and quotas. If a part of a query failed, notes state which
 * part, why, and what is used instead.
 *
 * @param date date of the prices: an ISO date or an ISO instant, as given
 * @param offers the offers; their names are distinct
 * @param notes what is missing or replaced, one sentence each
 * @param priceDates dates of prices that replace unavailable ones, by the name of the offer
 */
@FileSection(title = "", doc = "What can be rented, with prices and billing terms.")
public record OfferCatalog(
    @FileField(doc = "Source of the prices.", example = "price list") String source,
    @FileField(doc = "Date of the prices.", example = "2026-11-20") String date,
    @FileField(doc = "The offers.", example = "") List<Offer> offers,
    @FileField(doc = "Quotas of the account on these offers.", without = "none", example = "")
        List<Quota> quotas,
    @FileField(
            doc = "What is missing in the offers, and what replaces it.",
            without = "none",
            example = "")
        @Items
        List<String> notes,
    @FileField(
            doc = "Dates of prices that replace missing ones.",
            without = "the date of the file",
            example = "{aws/us-east-1/p3.8xlarge/on-demand: 2026-07-20}")
        Map<String, String> priceDates) {
  public OfferCatalog {
    Preconditions.text("source", source);
    Preconditions.text("date", date);
    offers = List.copyOf(offers);
    quotas = List.copyOf(quotas);
    notes = List.copyOf(notes);
    priceDates = Collections.unmodifiableMap(new TreeMap<>(priceDates));
    Set<String> names = new HashSet<>();
    for (Offer offer : offers) {
      Preconditions.that(names.add(offer.name()), "the offer " + offer.name() + " is given twice");
    }
  }

  /** Creates a catalog without notes, whose prices all have its date. */
  public OfferCatalog(String source, String date, List<Offer> offers, List<Quota> quotas) {
    this(source, date, offers, quotas, List.of(), Map.of());
  }

  /** Creates a catalog without quotas. */
  public OfferCatalog(String source, String date, List<Offer> offers) {
    this(source, date, offers, List.of());
  }

  /** Returns this catalog reduced to some of its offers, with the quotas that count them. */
  public OfferCatalog restrictTo(List<Offer> some) {
    Set<String> names = some.stream().map(Offer::name).collect(Collectors.toSet());
    List<Quota> left =
        quotas.stream()
            .map(quota -> quota.restrictTo(names))
            .filter(q -> !q.uses().isEmpty())
            .toList();
    Map<String, String> dates = new TreeMap<>(priceDates);
    dates.keySet().retainAll(names);
    return new OfferCatalog(source, date, some, left, notes, dates);
  }

  /** Returns the date of an offer's price if it replaces an unavailable one. */
  public Optional<String> replacementDate(String offer) {
    return Optional.ofNullable(priceDates.get(offer));
  }

  /** Returns the offer with that name. */
  public Optional<Offer> find(String name) {
    return offers.stream().filter(offer -> offer.name().equals(name)).findFirst();
  }
}
