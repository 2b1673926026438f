package io.elastune.provisioner.aws.offers;

import io.elastune.core.offer.Market;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A row of a region's shipped price table: an instance type that the region offers.
 *
 * @param onDemand USD per hour
 * @param date the date of the on-demand price
 * @param spot USD per hour; empty if unknown or at the floor, which indicates that there is no
 *     market
 * @param spotDate the month of the spot price; empty without one
 */
record ShippedPrice(
    String type, double onDemand, String date, OptionalDouble spot, String spotDate) {
  static ShippedPrice parse(List<String> cells) {
    return new ShippedPrice(
        cells.get(0),
        Double.parseDouble(cells.get(1)),
        cells.get(2),
        cells.get(3).isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(Double.parseDouble(cells.get(3))),
        cells.get(4));
  }

  OptionalDouble usdPerHour(Market market) {
    return market == Market.SPOT ? spot : OptionalDouble.of(onDemand);
  }
}
