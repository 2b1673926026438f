package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.GpuModels;
import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.model.Location;
import io.elastune.provisioner.gcp.model.MachineShape;
import io.elastune.provisioner.gcp.model.ProjectApi;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Creates offers from live data of Google. Compute Engine provides types, zones and quotas, but no
 * prices. Prices come from the billing catalog if there is an API key for it, otherwise from the
 * shipped table.
 */
public final class LiveOffers {
  private static final String SOURCE = "gcp, live types and quotas, shipped prices";

  /** The metric of a project's quota over all regions. */
  private static final String ALL_REGIONS = "GPUS_ALL_REGIONS";

  private static final String CATALOG_SOURCE = "gcp billing catalog";

  private final ProjectApi projectApi;
  private final Optional<CachedPrices> catalog;

  /** {@code catalog}: current prices, if there is an API key for them. */
  public LiveOffers(ProjectApi projectApi, Optional<CachedPrices> catalog) {
    this.projectApi = projectApi;
    this.catalog = catalog;
  }

  /** Returns the offers in these places; empty if there is no price for any of them. */
  public Optional<OfferCatalog> in(Collection<Location> locations) {
    return catalog.isPresent()
        ? atCatalogPrices(locations, catalog.get().get())
        : atShippedPrices(locations);
  }

  private static Map<String, Map<GpuType, List<String>>> types(
      Collection<Location> locations, Function<String, Map<GpuType, List<String>>> ofRegion) {
    Map<String, Map<GpuType, List<String>>> types = new TreeMap<>();
    locations.forEach(location -> types.computeIfAbsent(location.region(), ofRegion));
    return types;
  }

  private Optional<OfferCatalog> atCatalogPrices(
      Collection<Location> locations, CachedPrices.DatedPrices prices) {
    Map<String, Map<GpuType, List<String>>> types = types(locations, projectApi::gpuTypes);
    Map<String, Offer> offers = new LinkedHashMap<>();
    for (Location location : locations) {
      types.getOrDefault(location.region(), Map.of()).entrySet().stream()
          .filter(type -> location.zone().map(type.getValue()::contains).orElse(true))
          .flatMap(
              type ->
                  Stream.of(Market.values())
                      .flatMap(
                          market ->
                              offer(location, type.getKey(), market, prices.prices()).stream()))
          .forEach(offer -> offers.put(offer.name(), offer));
    }
    List<Offer> available = List.copyOf(offers.values());
    return available.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new OfferCatalog(
                CATALOG_SOURCE,
                prices.retrievedAt().toString(),
                available,
                quotas(available, types)));
  }

  /**
   * Returns an offer at catalog prices; empty if Google does not sell the type in this market, or
   * if the catalog lacks a component, because a partial price would look cheap.
   *
   * @throws CloudException if the price is too low for a machine with these GPUs
   */
  private static Optional<Offer> offer(
      Location location, GpuType type, Market market, ComponentPrices prices) {
    OptionalDouble usd = prices.of(type, location.region(), market);
    if (usd.isEmpty() || !SoldMarkets.contains(type.name(), market)) {
      return Optional.empty();
    }
    ShippedType named = ShippedOffers.typeOf(type);
    ShippedOffers.problem(named, market, usd.getAsDouble())
        .ifPresent(
            problem -> {
              throw new CloudException(
                  new CloudFailure.Invalid("Google's price catalog is implausible: " + problem));
            });
    return Optional.of(ShippedOffers.offer(location, named, market, usd.getAsDouble()));
  }

  private Optional<OfferCatalog> atShippedPrices(Collection<Location> locations) {
    Optional<OfferCatalog> shipped = ShippedOffers.inAnyZone(List.copyOf(locations));
    if (shipped.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Map<GpuType, List<String>>> types = types(locations, projectApi::builtInTypes);
    List<Offer> available =
        shipped.get().offers().stream().filter(offer -> isAvailable(offer, types)).toList();
    return Optional.of(
        new OfferCatalog(SOURCE, shipped.get().date(), available, quotas(available, types)));
  }

  private static Optional<Location> place(Offer offer) {
    return Location.parse(offer.infra());
  }

  /**
   * Returns whether a zone of the region, or the zone itself, has the type with this number of
   * GPUs.
   */
  private static boolean isAvailable(Offer offer, Map<String, Map<GpuType, List<String>>> types) {
    return place(offer)
        .filter(
            location ->
                types.getOrDefault(location.region(), Map.of()).entrySet().stream()
                    .filter(type -> type.getKey().name().equals(offer.instanceType()))
                    .filter(type -> type.getKey().gpus() == offer.gpus())
                    .anyMatch(type -> location.zone().map(type.getValue()::contains).orElse(true)))
        .isPresent();
  }

  private List<Quota> quotas(List<Offer> offers, Map<String, Map<GpuType, List<String>>> types) {
    List<Quota> quotas = new ArrayList<>();
    Map<String, List<Offer>> byRegion =
        offers.stream()
            .collect(
                Collectors.groupingBy(
                    offer -> place(offer).map(Location::region).orElse(""),
                    TreeMap::new,
                    Collectors.toList()));
    byRegion.forEach(
        (region, some) ->
            quotas.addAll(ofRegion(region, some, types.getOrDefault(region, Map.of()).keySet())));
    Map<String, Integer> all =
        offers.stream().collect(Collectors.toMap(Offer::name, Offer::gpus, (a, b) -> a));
    ProjectApi.QuotaLimit allRegions = projectApi.quotas().get(ALL_REGIONS);
    if (allRegions != null && !all.isEmpty()) {
      quotas.add(quota(ALL_REGIONS, "GPU", allRegions, all));
    }
    return quotas;
  }

  private List<Quota> ofRegion(String region, List<Offer> offers, Collection<GpuType> types) {
    Map<String, ProjectApi.QuotaLimit> allowed = projectApi.quotas(region);
    Map<String, Map<String, Integer>> gpus = new TreeMap<>();
    Map<String, Map<String, Integer>> cpus = new TreeMap<>();
    for (Offer offer : offers) {
      gpus.computeIfAbsent(
              GpuModels.gpuQuota(offer.gpu(), offer.market()), metric -> new LinkedHashMap<>())
          .put(offer.name(), offer.gpus());
      types.stream()
          .filter(type -> type.name().equals(offer.instanceType()))
          .findFirst()
          .ifPresent(
              type ->
                  cpuQuota(offer, allowed)
                      .ifPresent(
                          metric ->
                              cpus.computeIfAbsent(metric, some -> new LinkedHashMap<>())
                                  .put(offer.name(), type.vcpus())));
    }
    List<Quota> quotas = new ArrayList<>();
    gpus.forEach((metric, uses) -> add(quotas, metric, region, "GPU", allowed, uses));
    cpus.forEach((metric, uses) -> add(quotas, metric, region, "vCPU", allowed, uses));
    return quotas;
  }

  /**
   * Returns the metric of the vCPU quota: that of the family, for N1 otherwise the general one of
   * older families, otherwise none.
   */
  private static Optional<String> cpuQuota(
      Offer offer, Map<String, ProjectApi.QuotaLimit> allowed) {
    boolean attached = MachineShape.of(offer.instanceType()).accelerator().isPresent();
    return GpuModels.cpuQuotas(offer.instanceType(), Market.ON_DEMAND).stream()
        .limit(attached ? 2 : 1)
        .filter(allowed::containsKey)
        .findFirst();
  }

  private static void add(
      List<Quota> quotas,
      String metric,
      String region,
      String unit,
      Map<String, ProjectApi.QuotaLimit> allowed,
      Map<String, Integer> uses) {
    ProjectApi.QuotaLimit limit = allowed.get(metric);
    if (limit != null) {
      quotas.add(quota(metric + " in " + region, unit, limit, uses));
    }
  }

  /** Returns what is left of a quota. */
  private static Quota quota(
      String name, String unit, ProjectApi.QuotaLimit quota, Map<String, Integer> uses) {
    int used = (int) Math.ceil(quota.used());
    return new Quota(
        name + (used > 0 ? " (" + used + " in use)" : ""),
        unit,
        Math.max(0, (int) quota.limit() - used),
        uses);
  }
}
