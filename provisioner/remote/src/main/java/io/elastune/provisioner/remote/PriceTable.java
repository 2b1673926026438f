package io.elastune.provisioner.remote;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * The price tables that a provider ships, one per region. They have dates, and need neither
 * credentials nor a network.
 */
public final class PriceTable {
  private final Class<?> anchor;
  private final String source;
  private final BiFunction<String, List<String>, ShippedPrice> parser;

  /** Returns the offer at a shipped price; empty if the type is not sold in the market. */
  public interface OfferFactory {
    Optional<Offer> offer(Location place, ShippedPrice price, Market market);
  }

  /**
   * Creates the tables.
   *
   * @param anchor a class in the package of the tables {@code prices/REGION.csv}
   * @param source the source that catalogs name
   * @param parser reads the cells of a row of a region's table
   */
  public PriceTable(
      Class<?> anchor, String source, BiFunction<String, List<String>, ShippedPrice> parser) {
    this.anchor = anchor;
    this.source = source;
    this.parser = parser;
  }

  /** Returns the rows of a region; none for an unknown region. */
  public List<ShippedPrice> prices(String region) {
    return CsvResource.rows(anchor, "prices/" + region + ".csv").orElse(List.of()).stream()
        .map(cells -> parser.apply(region, cells))
        .toList();
  }

  /** Returns the row of a type. */
  public Optional<ShippedPrice> find(String region, String type) {
    return prices(region).stream().filter(price -> price.type().equals(type)).findFirst();
  }

  /**
   * Returns the offers in these places, with the oldest date of their prices; empty without any.
   *
   * @param inAnyZone whether every zone is assumed to have the types of its region
   */
  public Optional<OfferCatalog> catalog(
      List<Location> places, boolean inAnyZone, OfferFactory factory) {
    Map<String, Offer> offers = new LinkedHashMap<>();
    TreeSet<String> dates = new TreeSet<>();
    TreeSet<String> spotDates = new TreeSet<>();
    for (Location place : places) {
      for (ShippedPrice price : prices(place.region())) {
        if (inAnyZone || price.isIn(place)) {
          for (Market market : Market.values()) {
            Optional<Offer> offer = factory.offer(place, price, market);
            offer.ifPresent(some -> offers.put(some.name(), some));
            if (offer.isPresent()) {
              dates.add(price.date());
              spotDates.add(price.spotDate());
            }
          }
        }
      }
    }
    spotDates.removeAll(dates);
    spotDates.remove("");
    return offers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new OfferCatalog(
                source + (spotDates.isEmpty() ? "" : ": spot " + spotDates.first() + ", on demand"),
                dates.first(),
                List.copyOf(offers.values())));
  }
}
