package io.elastune.provisioner.aws.offers;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.aws.model.GpuType;
import io.elastune.provisioner.aws.model.Location;
import io.elastune.provisioner.remote.AssumedNodeCharges;
import io.elastune.provisioner.remote.AssumedProvisioning;
import io.elastune.provisioner.remote.CsvResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads the price tables that Elastune ships, which need no credentials or network. There is one
 * table per region; docs/aws.md states the sources. Queueing and boot times are assumed.
 */
public final class ShippedOffers {
  private static final String DEFAULT_REGION = "us-east-1";
  private static final String SOURCE = "aws, shipped table";

  /** EC2's billing terms for Linux: per second, at least one minute. */
  static final BillingTerms BILLING = new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0);

  private static final Map<String, ShippedType> TYPES =
      CsvResource.required(ShippedOffers.class, "types.csv").stream()
          .map(ShippedType::parse)
          .collect(
              Collectors.toMap(ShippedType::name, type -> type, (a, b) -> a, LinkedHashMap::new));

  private ShippedOffers() {}

  /**
   * Returns the offers in these places; empty if none of them is in the tables. A zone has the
   * types and prices of its region, because the tables have no zones.
   */
  public static Optional<OfferCatalog> in(List<Location> locations) {
    List<Offer> offers = new ArrayList<>();
    TreeSet<String> dates = new TreeSet<>();
    TreeSet<String> spotDates = new TreeSet<>();
    for (Location location : locations.stream().distinct().toList()) {
      for (ShippedPrice price : prices(location)) {
        List<Offer> ofType = offers(location, price);
        offers.addAll(ofType);
        if (!ofType.isEmpty()) {
          dates.add(price.date());
          Optional.of(price.spotDate()).filter(date -> !date.isEmpty()).ifPresent(spotDates::add);
        }
      }
    }
    return offers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new OfferCatalog(
                SOURCE + (spotDates.isEmpty() ? "" : ": spot " + spotDates.first() + ", on demand"),
                dates.first(),
                offers));
  }

  private static List<Offer> offers(Location location, ShippedPrice price) {
    ShippedType type =
        Optional.ofNullable(TYPES.get(price.type()))
            .orElseThrow(() -> new IllegalStateException(price.type() + " is not in types.csv"));
    List<Offer> offers = new ArrayList<>();
    for (Market market : Market.values()) {
      if (type.isSold(market)) {
        price
            .usdPerHour(market)
            .ifPresent(
                usd ->
                    offers.add(
                        offer(
                            location,
                            new GpuType(type.name(), type.gpu(), type.gpus(), type.vcpus()),
                            market,
                            usd)));
      }
    }
    return offers;
  }

  private static List<ShippedPrice> prices(Location location) {
    return location.zone().map(zone -> zone.startsWith(location.region())).orElse(true)
        ? prices(location.region())
        : List.of();
  }

  private static List<ShippedPrice> prices(String region) {
    return CsvResource.rows(ShippedOffers.class, "prices/" + region + ".csv")
        .orElse(List.of())
        .stream()
        .map(ShippedPrice::parse)
        .toList();
  }

  /**
   * Returns the region for {@code aws} without a region: one, because all regions would fill many
   * screens.
   */
  public static Location defaultPlace() {
    return new Location(DEFAULT_REGION, Optional.empty());
  }

  /**
   * Returns the on-demand prices of a region in USD per hour, also of types that are not offered.
   */
  public static Map<String, Double> onDemandUsdPerHour(String region) {
    return prices(region).stream()
        .collect(Collectors.toMap(ShippedPrice::type, ShippedPrice::onDemand));
  }

  /** Returns all instance types of the table, also those that are not offered. */
  public static List<ShippedType> types() {
    return List.copyOf(TYPES.values());
  }

  /** Replaces the GPU name by the one in the table, if any: profiles use that name. */
  static GpuType withTableGpuName(GpuType type) {
    return Optional.ofNullable(TYPES.get(type.name()))
        .map(known -> new GpuType(type.name(), known.gpu(), type.gpus(), type.vcpus()))
        .orElse(type);
  }

  /** Returns an offer with assumed queueing and boot times. */
  static Offer offer(Location location, GpuType type, Market market, double usdPerHour) {
    return new Offer(
        location.infra(),
        type.name(),
        type.gpu(),
        type.gpus(),
        market,
        usdPerHour,
        PriceKind.LIST,
        BILLING,
        AssumedProvisioning.queueS(),
        AssumedProvisioning.bootS(type.gpus()),
        0,
        AssumedNodeCharges.usdPerHour(AssumedNodeCharges.DEFAULT_DISK_GB, true),
        1);
  }
}
