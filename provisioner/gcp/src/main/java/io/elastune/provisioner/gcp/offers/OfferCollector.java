package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.NodeCharges;
import io.elastune.provisioner.remote.PartialQuery;
import io.elastune.provisioner.remote.ShippedPrice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collects offers at catalog prices, and at shipped prices where catalog prices are unavailable. A
 * type without either is left out: a price is never guessed.
 */
final class OfferCollector {
  private final PartialQuery parts;
  private final Map<String, Offer> offers = new LinkedHashMap<>();
  private final Map<String, String> shippedDates = new TreeMap<>();

  /** Creates a collector that reports what it replaces or leaves out as notes of {@code parts}. */
  OfferCollector(PartialQuery parts) {
    this.parts = parts;
  }

  List<Offer> offers() {
    return List.copyOf(offers.values());
  }

  /** Returns the dates of shipped prices by offer name. */
  Map<String, String> shippedDates() {
    return shippedDates;
  }

  /** Adds the offers of a place at catalog prices. */
  void addAtCatalogPrices(
      Location location, List<GpuType> types, ComponentPrices prices, NodeCharges charges) {
    for (GpuType type : types) {
      for (Market market : Market.values()) {
        OptionalDouble usd = prices.of(type, location.region(), market);
        if (usd.isPresent() && SoldMarkets.contains(type.name(), market)) {
          addIfPlausible(location, ShippedOffers.typeOf(type), market, usd.getAsDouble(), charges);
        }
      }
    }
  }

  /** A partial price would look cheap: the shipped price replaces it. */
  private void addIfPlausible(
      Location location, ShippedType type, Market market, double usd, NodeCharges charges) {
    Optional<String> problem = ShippedOffers.problem(type, market, usd);
    if (problem.isEmpty()) {
      add(ShippedOffers.offer(location, type, market, usd, charges));
      return;
    }
    Optional<ShippedPrice> shipped =
        ShippedOffers.prices(location.region()).stream()
            .filter(price -> price.type().equals(type.name()))
            .findFirst();
    boolean isReplaced =
        shipped.isPresent() && addAtShippedPrice(location, shipped.get(), market, charges);
    parts.note(
        "Google's catalog price is not used: "
            + problem.get()
            + "; "
            + (isReplaced ? "the shipped price is used, marked ~" : "the type is not offered"));
  }

  /** Adds the offers of a place at shipped prices. */
  void addAtShippedPrices(Location location, RegionQuery region, NodeCharges charges) {
    ShippedOffers.prices(location.region()).stream()
        .filter(region.exists(location))
        .forEach(
            price -> {
              for (Market market : Market.values()) {
                addAtShippedPrice(location, price, market, charges);
              }
            });
  }

  /** Adds a note with the live types that have no shipped price. */
  void noteUnpriced(String region, List<GpuType> types) {
    Set<String> unpriced = new TreeSet<>();
    List<String> priced = ShippedOffers.prices(region).stream().map(ShippedPrice::type).toList();
    types.stream().map(GpuType::name).filter(type -> !priced.contains(type)).forEach(unpriced::add);
    if (!unpriced.isEmpty()) {
      parts.note(
          "Not offered in "
              + region
              + ", because no price is known: "
              + String.join(", ", unpriced));
    }
  }

  private boolean addAtShippedPrice(
      Location location, ShippedPrice price, Market market, NodeCharges charges) {
    Optional<Offer> offer = ShippedOffers.offer(location, price, market, charges);
    offer.ifPresent(
        some -> {
          add(some);
          shippedDates.put(some.name(), price.date(market));
        });
    return offer.isPresent();
  }

  private void add(Offer offer) {
    offers.put(offer.name(), offer);
  }
}
