package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import java.util.List;

/**
 * A row of the shipped price table.
 *
 * @param onDemand USD per hour
 * @param spot USD per hour
 */
record ShippedPrice(String region, String type, double onDemand, double spot) {
  static ShippedPrice parse(String line) {
    List<String> cells = List.of(line.split(",", -1));
    return new ShippedPrice(
        cells.get(0),
        cells.get(1),
        Double.parseDouble(cells.get(2)),
        Double.parseDouble(cells.get(3)));
  }

  double usdPerHour(Market market) {
    return market == Market.SPOT ? spot : onDemand;
  }
}
