package io.elastune.provisioner.remote;

import io.elastune.core.offer.Market;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A row of a region's shipped price table: an instance type that the region has.
 *
 * @param onDemand USD per hour
 * @param date the date of the on-demand price
 * @param spot USD per hour; empty if unknown or at the cloud's floor, which indicates that there is
 *     no market
 * @param spotDate the date of the spot price, or its month; empty without one
 * @param zones the zones that have the type; empty if the table has no zones, so that every zone is
 *     assumed to have it
 */
public record ShippedPrice(
    String type,
    double onDemand,
    String date,
    OptionalDouble spot,
    String spotDate,
    Optional<List<String>> zones) {
  /** Returns the price in a market in USD per hour; empty if there is none. */
  public OptionalDouble usdPerHour(Market market) {
    return market == Market.SPOT ? spot : OptionalDouble.of(onDemand);
  }

  /** Returns the date of the price in a market. */
  public String date(Market market) {
    return market == Market.SPOT ? spotDate : date;
  }

  /** Returns whether the type exists in the place; a place without a zone is the whole region. */
  public boolean isIn(Location place) {
    return place
        .zone()
        .map(
            zone ->
                zones
                    .map(known -> known.contains(zone))
                    .orElseGet(() -> zone.startsWith(place.region())))
        .orElse(true);
  }
}
