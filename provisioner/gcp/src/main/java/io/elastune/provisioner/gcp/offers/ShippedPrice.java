package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A row of a region's shipped price table: a machine type that exists there.
 *
 * @param onDemand USD per hour
 * @param spot USD per hour; empty if the price was at Google's floor, which indicates that there is
 *     no market
 * @param date the date of the prices
 * @param zones the letters of the zones that have the type; empty if unknown
 */
record ShippedPrice(
    String type, double onDemand, OptionalDouble spot, String date, List<String> zones) {
  static ShippedPrice parse(List<String> cells) {
    return new ShippedPrice(
        cells.get(0),
        Double.parseDouble(cells.get(1)),
        cells.get(2).isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(Double.parseDouble(cells.get(2))),
        cells.get(3),
        cells.get(5).isEmpty() ? List.of() : List.of(cells.get(5).split(" ", -1)));
  }

  OptionalDouble usdPerHour(Market market) {
    return market == Market.SPOT ? spot : OptionalDouble.of(onDemand);
  }
}
