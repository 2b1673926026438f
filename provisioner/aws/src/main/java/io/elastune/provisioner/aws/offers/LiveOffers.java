package io.elastune.provisioner.aws.offers;

import io.elastune.core.Spread;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.aws.account.Directory;
import io.elastune.provisioner.aws.account.GpuType;
import io.elastune.provisioner.aws.account.Place;
import io.elastune.provisioner.aws.account.PriceList;
import io.elastune.provisioner.aws.account.SpotPrice;
import io.elastune.provisioner.aws.account.VcpuQuota;
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
 * and the account's quotas. Queueing and boot times are assumed values of the shipped table.
 */
public final class LiveOffers {
  private static final String SOURCE = "aws price list";

  private final Function<String, PriceList> prices;
  private final Function<String, Directory> directory;

  /** Creates a query; the functions create the clients of a region. */
  public LiveOffers(Function<String, PriceList> prices, Function<String, Directory> directory) {
    this.prices = prices;
    this.directory = directory;
  }

  /** Returns the current offers in these places; {@code now} is their date. */
  public OfferCatalog in(Collection<Place> places, Instant now) {
    Map<String, List<Place>> byRegion =
        places.stream()
            .collect(Collectors.groupingBy(Place::region, TreeMap::new, Collectors.toList()));
    List<Offer> offers = new ArrayList<>();
    List<Quota> quotas = new ArrayList<>();
    byRegion.forEach(
        (region, some) -> {
          Region there = Region.ask(region, prices);
          List<Offer> found = there.offers(some);
          offers.addAll(found);
          quotas.addAll(quotas(region, found, there.types()));
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
    try (Directory account = directory.apply(region)) {
      uses.forEach(
          (quota, some) ->
              quotas.add(
                  new Quota(
                      quota.title() + " in " + region, "vCPU", account.allowed(quota), some)));
    }
    return quotas;
  }

  /** The types, zones and prices of one region. */
  private record Region(
      String name,
      Map<String, GpuType> types,
      Map<String, Set<String>> zones,
      Map<String, Double> onDemand,
      List<SpotPrice> spot) {

    static Region ask(String name, Function<String, PriceList> clients) {
      try (PriceList list = clients.apply(name)) {
        Map<String, GpuType> types = new TreeMap<>();
        list.gpuTypes().forEach(type -> types.put(type.name(), ShippedOffers.named(type)));
        return new Region(
            name, types, list.zones(), list.onDemand(), list.spot(List.copyOf(types.keySet())));
      }
    }

    List<Offer> offers(List<Place> places) {
      Map<String, Offer> offers = new LinkedHashMap<>();
      for (Place place : places) {
        for (GpuType type : types.values()) {
          onDemand(place, type).ifPresent(offer -> offers.put(offer.name(), offer));
          spot(place, type).forEach(offer -> offers.put(offer.name(), offer));
        }
      }
      return List.copyOf(offers.values());
    }

    private Optional<Offer> onDemand(Place place, GpuType type) {
      Set<String> there = zones.getOrDefault(type.name(), Set.of());
      boolean offered = place.zone().map(there::contains).orElse(!there.isEmpty());
      return Optional.ofNullable(onDemand.get(type.name()))
          .filter(usd -> offered)
          .map(usd -> offer(place, type, Market.ON_DEMAND, usd));
    }

    /** Returns one spot offer per zone, because each zone has its own price. */
    private List<Offer> spot(Place place, GpuType type) {
      return spot.stream()
          .filter(price -> price.type().equals(type.name()))
          .filter(price -> place.zone().map(price.zone()::equals).orElse(true))
          .map(
              price ->
                  offer(
                      new Place(name, Optional.of(price.zone())),
                      type,
                      Market.SPOT,
                      price.usdPerHour()))
          .toList();
    }

    private static Offer offer(Place place, GpuType type, Market market, double usdPerHour) {
      return new Offer(
          place.infra(),
          type.name(),
          type.gpu(),
          type.gpus(),
          market,
          usdPerHour,
          PriceKind.LIST,
          ShippedOffers.BILLING,
          new Spread(ShippedOffers.queueS(), ShippedOffers.QUEUE_CV),
          new Spread(ShippedOffers.bootS(type.gpus()), ShippedOffers.BOOT_CV),
          0,
          0,
          1);
    }
  }
}
