package io.elastune.provisioner.aws.offers;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.aws.model.AccountApi;
import io.elastune.provisioner.aws.model.GpuType;
import io.elastune.provisioner.aws.model.Location;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.SpotPrice;
import io.elastune.provisioner.aws.model.VcpuQuota;
import io.elastune.provisioner.remote.ParallelCalls;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Queries live offers from AWS: types and zones, on-demand prices by region, spot prices by zone,
 * and the account's quotas. Queueing and boot times are assumed.
 */
public final class LiveOffers {
  private static final String SOURCE = "aws price list";

  private final Function<String, PriceList> prices;
  private final Function<String, AccountApi> accountApi;

  /** Creates a query; the functions create the clients of a region. */
  public LiveOffers(Function<String, PriceList> prices, Function<String, AccountApi> accountApi) {
    this.prices = prices;
    this.accountApi = accountApi;
  }

  /** Returns the current offers in these places; {@code now} is their date. */
  public OfferCatalog in(Collection<Location> locations, Instant now) {
    Map<String, List<Location>> byRegion =
        locations.stream()
            .collect(Collectors.groupingBy(Location::region, TreeMap::new, Collectors.toList()));
    List<Offer> offers = new ArrayList<>();
    List<Quota> quotas = new ArrayList<>();
    ParallelCalls.map(List.copyOf(byRegion.keySet()), region -> RegionOffers.ask(region, prices))
        .forEach(
            there -> {
              List<Offer> found = there.offers(byRegion.getOrDefault(there.name(), List.of()));
              offers.addAll(found);
              quotas.addAll(quotas(there.name(), found, there.types()));
            });
    String date = now.truncatedTo(ChronoUnit.SECONDS).toString();
    return new OfferCatalog(SOURCE, date, offers, quotas);
  }

  private List<Quota> quotas(String region, List<Offer> offers, Map<String, GpuType> types) {
    Map<VcpuQuota, Map<String, Integer>> uses = new EnumMap<>(VcpuQuota.class);
    for (Offer offer : offers) {
      GpuType type = types.get(offer.instanceType());
      if (type != null) {
        uses.computeIfAbsent(
                VcpuQuota.of(offer.instanceType(), offer.market()), some -> new TreeMap<>())
            .put(offer.name(), type.vcpus());
      }
    }
    List<Quota> quotas = new ArrayList<>();
    try (AccountApi account = accountApi.apply(region)) {
      uses.forEach(
          (quota, some) ->
              quotas.add(
                  quota(
                      region, quota, account.quotaLimit(quota), account.quotaUsage(quota), some)));
    }
    return quotas;
  }

  /** Returns what is left of a quota. */
  private static Quota quota(
      String region, VcpuQuota quota, int limit, int used, Map<String, Integer> uses) {
    return new Quota(
        quota.title() + " in " + region + (used > 0 ? " (" + used + " in use)" : ""),
        "vCPU",
        Math.max(0, limit - used),
        uses);
  }

  /** The types, zones and prices of one region. */
  private record RegionOffers(
      String name,
      Map<String, GpuType> types,
      Map<String, Set<String>> zones,
      Map<String, Double> onDemand,
      List<SpotPrice> spot) {

    static RegionOffers ask(String name, Function<String, PriceList> clients) {
      try (PriceList list = clients.apply(name)) {
        Map<String, GpuType> types = new TreeMap<>();
        list.gpuTypes()
            .forEach(type -> types.put(type.name(), ShippedOffers.withTableGpuName(type)));
        return new RegionOffers(
            name, types, list.zones(), list.onDemand(), list.spot(List.copyOf(types.keySet())));
      }
    }

    List<Offer> offers(List<Location> locations) {
      Map<String, Offer> offers = new LinkedHashMap<>();
      for (Location location : locations) {
        for (GpuType type : types.values()) {
          onDemand(location, type).ifPresent(offer -> offers.put(offer.name(), offer));
          spot(location, type).forEach(offer -> offers.put(offer.name(), offer));
        }
      }
      return List.copyOf(offers.values());
    }

    private Optional<Offer> onDemand(Location location, GpuType type) {
      Set<String> there = zones.getOrDefault(type.name(), Set.of());
      boolean offered = location.zone().map(there::contains).orElse(!there.isEmpty());
      return Optional.ofNullable(onDemand.get(type.name()))
          .filter(usd -> offered)
          .map(usd -> ShippedOffers.offer(location, type, Market.ON_DEMAND, usd));
    }

    /** Returns one spot offer per zone, because each zone has its own price. */
    private List<Offer> spot(Location location, GpuType type) {
      return spot.stream()
          .filter(price -> price.type().equals(type.name()))
          .filter(price -> location.zone().map(price.zone()::equals).orElse(true))
          .map(
              price ->
                  ShippedOffers.offer(
                      new Location(name, Optional.of(price.zone())),
                      type,
                      Market.SPOT,
                      price.usdPerHour()))
          .toList();
    }
  }
}
