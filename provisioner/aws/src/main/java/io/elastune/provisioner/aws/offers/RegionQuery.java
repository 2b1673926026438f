package io.elastune.provisioner.aws.offers;

import io.elastune.provisioner.aws.model.GpuType;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.SpotPrice;
import io.elastune.provisioner.remote.ParallelCalls;
import io.elastune.provisioner.remote.PartialQuery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The live types, zones and prices of a region.
 *
 * @param types the types by name; those of the shipped table if AWS did not list them
 * @param zones the zones of each type; empty if unknown
 * @param onDemand the on-demand price of each type in USD per hour; empty if unknown
 * @param spot the spot prices of all zones; empty if unknown
 * @param parts which parts were answered, with notes on the others
 */
record RegionQuery(
    String region,
    Map<String, GpuType> types,
    Optional<Map<String, Set<String>>> zones,
    Optional<Map<String, Double>> onDemand,
    Optional<List<SpotPrice>> spot,
    PartialQuery parts) {
  private static final String SHIPPED = "shipped prices are used, marked ~ with their date";

  /** Queries the parts of a region at the same time. Closes the client. */
  static RegionQuery send(String region, PriceList client) {
    PartialQuery parts = new PartialQuery();
    try (client) {
      PartialQuery.Part<List<GpuType>> types =
          parts.part(
              "Instance types of " + region,
              "those of the shipped table are used",
              client::gpuTypes);
      PartialQuery.Part<Map<String, Set<String>>> zones =
          parts.part(
              "Zones of instance types in " + region,
              "every zone is assumed to have the types of its region",
              client::zones);
      PartialQuery.Part<Map<String, Double>> onDemand =
          parts.part("On-demand prices of " + region, SHIPPED, client::onDemand);
      ParallelCalls.run(List.of(types, zones, onDemand));
      Map<String, GpuType> byName = byName(types.answer());
      Optional<List<SpotPrice>> spot = Optional.empty();
      if (parts.isAnswered()) {
        List<String> names = List.copyOf(byName.keySet());
        spot = parts.query("Spot prices of " + region, SHIPPED, () -> client.spot(names));
      } else {
        parts.replaceNotes("Live offers of " + region, SHIPPED);
      }
      return new RegionQuery(region, byName, zones.answer(), onDemand.answer(), spot, parts);
    }
  }

  private static Map<String, GpuType> byName(Optional<List<GpuType>> types) {
    Map<String, GpuType> byName = new TreeMap<>();
    types
        .map(live -> live.stream().map(ShippedOffers::withTableGpuName).toList())
        .orElseGet(
            () ->
                ShippedOffers.types().stream()
                    .filter(ShippedType::isOffered)
                    .map(ShippedType::toGpuType)
                    .toList())
        .forEach(type -> byName.put(type.name(), type));
    return byName;
  }

  /** Returns whether AWS answered any query, so that quotas can be queried, too. */
  boolean isAnswered() {
    return parts.isAnswered();
  }
}
