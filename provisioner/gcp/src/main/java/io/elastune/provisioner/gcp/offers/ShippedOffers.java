package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.gcp.model.GpuModels;
import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.model.Location;
import io.elastune.provisioner.remote.AssumedNodeCharges;
import io.elastune.provisioner.remote.AssumedProvisioning;
import io.elastune.provisioner.remote.CsvResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * Creates offers from the shipped price tables, which have dates and need neither credentials nor a
 * network. There is one table per region, with the machine types that exist there; docs/gcp.md
 * states the sources. Queueing and boot times are assumed.
 */
public final class ShippedOffers {
  private static final String SOURCE = "gcp, shipped table";
  private static final String DEFAULT_REGION = "us-central1";

  /** Google's terms: billed per second, with a minimum of one minute. */
  private static final BillingTerms BILLING = new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0);

  private static final Map<String, ShippedType> TYPES =
      CsvResource.required(ShippedOffers.class, "types.csv").stream()
          .map(ShippedType::parse)
          .collect(
              Collectors.toMap(ShippedType::name, type -> type, (a, b) -> a, LinkedHashMap::new));

  private ShippedOffers() {}

  /** Returns the offers in these places; empty if none of them is in the tables. */
  public static Optional<OfferCatalog> in(List<Location> locations) {
    return in(locations, ShippedOffers::isIn);
  }

  /**
   * Returns the offers in these places, as if every zone had all types of its region; empty if none
   * of their regions is in the tables.
   */
  static Optional<OfferCatalog> inAnyZone(List<Location> locations) {
    return in(locations, (location, price) -> true);
  }

  private static Optional<OfferCatalog> in(
      List<Location> locations, BiPredicate<Location, ShippedPrice> isIn) {
    Map<String, Offer> offers = new LinkedHashMap<>();
    TreeSet<String> dates = new TreeSet<>();
    for (Location location : locations) {
      for (ShippedPrice price : prices(location.region())) {
        if (isIn.test(location, price)) {
          dates.add(price.date());
          for (Market market : Market.values()) {
            sold(price, market)
                .ifPresent(
                    usd -> {
                      Offer offer = offer(location, type(price.type()), market, usd);
                      offers.put(offer.name(), offer);
                    });
          }
        }
      }
    }
    return offers.isEmpty()
        ? Optional.empty()
        : Optional.of(new OfferCatalog(SOURCE, dates.first(), List.copyOf(offers.values())));
  }

  private static OptionalDouble sold(ShippedPrice price, Market market) {
    return SoldMarkets.contains(price.type(), market)
        ? price.usdPerHour(market)
        : OptionalDouble.empty();
  }

  /** Returns whether the type exists in the region, or in the zone if the location has one. */
  private static boolean isIn(Location location, ShippedPrice price) {
    return location
        .zone()
        .map(
            zone ->
                price.zones().stream()
                    .anyMatch(letter -> zone.equals(location.region() + "-" + letter)))
        .orElse(true);
  }

  private static List<ShippedPrice> prices(String region) {
    return CsvResource.rows(ShippedOffers.class, "prices/" + region + ".csv")
        .orElse(List.of())
        .stream()
        .map(ShippedPrice::parse)
        .toList();
  }

  /**
   * Returns the region for {@code gcp} without a region: one, because all regions would fill many
   * screens.
   */
  public static Location defaultPlace() {
    return new Location(DEFAULT_REGION, Optional.empty());
  }

  /** Returns the price of a type in USD per hour; empty if it is not in the table. */
  public static OptionalDouble usdPerHour(String region, String type, Market market) {
    return prices(region).stream()
        .filter(price -> price.type().equals(type))
        .map(price -> price.usdPerHour(market))
        .findFirst()
        .orElse(OptionalDouble.empty());
  }

  /**
   * Returns what is wrong with a price, as a sentence. Prices of GPU models that are not in the
   * table are not checked.
   */
  static Optional<String> problem(ShippedType type, Market market, double usdPerHour) {
    return PriceValidator.problem(type.name(), type.gpus())
        .or(
            () ->
                leastPerGpu(type.gpu())
                    .flatMap(least -> PriceValidator.problem(type, market, usdPerHour, least)));
  }

  private static Optional<Double> leastPerGpu(String gpu) {
    return TYPES.values().stream()
        .filter(type -> type.gpu().equals(gpu))
        .map(ShippedType::leastUsdPerGpu)
        .findFirst();
  }

  /** Returns the table row of a type from Google, or one without a known price. */
  static ShippedType typeOf(GpuType type) {
    ShippedType shipped = TYPES.get(type.name());
    return shipped != null && shipped.gpus() == type.gpus()
        ? shipped
        : new ShippedType(
            type.name(),
            GpuModels.name(type.accelerator()),
            type.gpus(),
            type.vcpus(),
            type.ramGb(),
            0);
  }

  static Offer offer(Location location, ShippedType type, Market market, double usdPerHour) {
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
        AssumedNodeCharges.usdPerHour(AssumedNodeCharges.DEFAULT_DISK_GB, false),
        1);
  }

  private static ShippedType type(String name) {
    return Optional.ofNullable(TYPES.get(name))
        .orElseThrow(
            () ->
                new IllegalStateException(name + " has a price, but is not in the table of types"));
  }
}
