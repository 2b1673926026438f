package io.elastune.provisioner.gcp.offers;

import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.model.Location;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.remote.ParallelCalls;
import io.elastune.provisioner.remote.PartialQuery;
import io.elastune.provisioner.remote.ShippedPrice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
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

  /**
   * Queries both parts at the same time.
   *
   * @param typesOf returns the machine types of a region
   * @param parts receives a note for each part that failed
   */
  static RegionQuery send(
      String region,
      ProjectApi projectApi,
      Function<String, Map<GpuType, List<String>>> typesOf,
      PartialQuery parts) {
    AtomicReference<Optional<Map<GpuType, List<String>>>> types =
        new AtomicReference<>(Optional.empty());
    AtomicReference<Optional<Map<String, ProjectApi.QuotaLimit>>> quotas =
        new AtomicReference<>(Optional.empty());
    ParallelCalls.run(
        () ->
            types.set(
                parts.query(
                    "Machine types of " + region,
                    "those of the shipped table are used, at its prices",
                    () -> typesOf.apply(region))),
        () ->
            quotas.set(
                parts.query(
                    "Quotas of " + region,
                    "plans do not take account of them",
                    () -> projectApi.quotas(region))));
    return new RegionQuery(region, types.get(), quotas.get());
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
