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
import java.util.concurrent.atomic.AtomicReference;

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
    AtomicReference<Optional<List<GpuType>>> types = new AtomicReference<>(Optional.empty());
    AtomicReference<Optional<Map<String, Set<String>>>> zones =
        new AtomicReference<>(Optional.empty());
    AtomicReference<Optional<Map<String, Double>>> onDemand =
        new AtomicReference<>(Optional.empty());
    Optional<List<SpotPrice>> spot = Optional.empty();
    try (client) {
      ParallelCalls.run(
          () ->
              types.set(
                  parts.query(
                      "Instance types of " + region,
                      "those of the shipped table are used",
                      client::gpuTypes)),
          () ->
              zones.set(
                  parts.query(
                      "Zones of instance types in " + region,
                      "every zone is assumed to have the types of its region",
                      client::zones)),
          () ->
              onDemand.set(
                  parts.query("On-demand prices of " + region, SHIPPED, client::onDemand)));
      Map<String, GpuType> byName = byName(types.get());
      if (parts.isAnswered()) {
        List<String> names = List.copyOf(byName.keySet());
        spot = parts.query("Spot prices of " + region, SHIPPED, () -> client.spot(names));
      } else {
        parts.replaceNotes("Live offers of " + region, SHIPPED);
      }
      return new RegionQuery(region, byName, zones.get(), onDemand.get(), spot, parts);
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
