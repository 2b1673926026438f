package io.elastune.provisioner.aws.offers;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.aws.model.Aws;
import io.elastune.provisioner.aws.model.GpuType;
import io.elastune.provisioner.aws.model.SpotPrice;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.NodeCharges;
import io.elastune.provisioner.remote.ShippedPrice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Creates the offers of a region from its live prices, and from shipped prices where live prices
 * are unavailable. A type without either is left out, with a note: a price is never guessed.
 */
final class RegionOffers {
  private final RegionQuery query;
  private final NodeCharges charges;
  private final Map<String, ShippedPrice> shipped;
  private final Map<String, Offer> offers = new LinkedHashMap<>();
  private final Map<String, String> shippedDates = new TreeMap<>();
  private final Set<String> unpriced = new TreeSet<>();

  /** Creates the offers; {@code charges} are those of the region's settings. */
  RegionOffers(RegionQuery query, List<Location> locations, NodeCharges charges) {
    this.query = query;
    this.charges = charges;
    this.shipped = ShippedOffers.prices(query.region());
    for (Location location : locations) {
      for (GpuType type : query.types().values()) {
        onDemand(location, type);
        spot(location, type);
      }
    }
    if (!unpriced.isEmpty()) {
      query
          .parts()
          .note(
              "Not offered in "
                  + query.region()
                  + ", because no price is known: "
                  + String.join(", ", unpriced));
    }
  }

  RegionQuery query() {
    return query;
  }

  List<Offer> offers() {
    return List.copyOf(offers.values());
  }

  /** Returns the dates of shipped prices by offer name. */
  Map<String, String> shippedDates() {
    return shippedDates;
  }

  private void onDemand(Location location, GpuType type) {
    if (!isIn(location, type)) {
      return;
    }
    if (query.onDemand().isEmpty()) {
      atShippedPrice(location, type, Market.ON_DEMAND);
      return;
    }
    Optional.ofNullable(query.onDemand().get().get(type.name()))
        .ifPresent(usd -> add(ShippedOffers.offer(location, type, Market.ON_DEMAND, usd, charges)));
  }

  /** Adds one spot offer per zone, because each zone has its own price. */
  private void spot(Location location, GpuType type) {
    if (query.spot().isEmpty()) {
      if (isIn(location, type)) {
        atShippedPrice(location, type, Market.SPOT);
      }
      return;
    }
    query.spot().get().stream()
        .filter(price -> price.type().equals(type.name()))
        .filter(price -> location.zone().map(price.zone()::equals).orElse(true))
        .forEach(price -> add(spotOffer(type, price)));
  }

  private Offer spotOffer(GpuType type, SpotPrice price) {
    Location zone = new Location(Aws.PROVIDER, query.region(), Optional.of(price.zone()));
    return ShippedOffers.offer(zone, type, Market.SPOT, price.usdPerHour(), charges);
  }

  private void atShippedPrice(Location location, GpuType type, Market market) {
    Optional<ShippedPrice> price = Optional.ofNullable(shipped.get(type.name()));
    Optional<Offer> offer =
        price.flatMap(row -> ShippedOffers.offer(location, row, market, charges));
    if (offer.isPresent()) {
      add(offer.get());
      shippedDates.put(offer.get().name(), price.orElseThrow().date(market));
    } else if (price.isEmpty() && query.zones().isPresent()) { // AWS has it, the table does not
      unpriced.add(type.name());
    }
  }

  private void add(Offer offer) {
    offers.put(offer.name(), offer);
  }

  /** Returns whether the place has the type; a type without a zone is not offered. */
  private boolean isIn(Location location, GpuType type) {
    return query
        .zones()
        .map(zones -> zones.getOrDefault(type.name(), Set.of()))
        .map(there -> location.zone().map(there::contains).orElse(!there.isEmpty()))
        .orElseGet(
            () -> location.zone().map(zone -> zone.startsWith(location.region())).orElse(true));
  }
}
