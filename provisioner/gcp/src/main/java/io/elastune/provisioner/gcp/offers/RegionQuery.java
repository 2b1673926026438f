package io.elastune.provisioner.gcp.offers;

import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.PartialQuery;
import io.elastune.provisioner.remote.ShippedPrice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The live machine types and quotas of a region.
 *
 * @param types the machine types with GPUs, with the zones that have each; empty if unknown
 * @param quotas the quotas by Google's metric name; empty if unknown
 */
record RegionQuery(
    String region,
    Optional<Map<GpuType, List<String>>> types,
    Optional<Map<String, ProjectApi.QuotaLimit>> quotas) {

  /** The queries of a region, before they are answered. */
  record Parts(
      String region,
      PartialQuery.Part<Map<GpuType, List<String>>> types,
      PartialQuery.Part<Map<String, ProjectApi.QuotaLimit>> quotas) {
    RegionQuery answers() {
      return new RegionQuery(region, types.answer(), quotas.answer());
    }
  }

  /**
   * Returns the queries of a region.
   *
   * @param typesOf returns the machine types of a region
   * @param parts receives a note for each part that fails
   */
  static Parts parts(
      String region,
      ProjectApi projectApi,
      Function<String, Map<GpuType, List<String>>> typesOf,
      PartialQuery parts) {
    return new Parts(
        region,
        parts.part(
            "Machine types of " + region,
            "those of the shipped table are used, at its prices",
            () -> typesOf.apply(region)),
        parts.part(
            "Quotas of " + region,
            "plans do not take account of them",
            () -> projectApi.quotas(region)));
  }

  /** Returns the live types that the place has. */
  List<GpuType> typesIn(Location location) {
    return types.orElse(Map.of()).entrySet().stream()
        .filter(type -> location.zone().map(type.getValue()::contains).orElse(true))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns whether the place has a type of the shipped table. */
  Predicate<ShippedPrice> exists(Location location) {
    if (types.isEmpty()) {
      return price -> price.isIn(location);
    }
    List<GpuType> live = typesIn(location);
    return price ->
        live.stream()
            .filter(type -> type.name().equals(price.type()))
            .anyMatch(type -> type.gpus() == ShippedOffers.typeOf(type).gpus());
  }
}
