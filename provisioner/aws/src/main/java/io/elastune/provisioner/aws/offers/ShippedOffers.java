package io.elastune.provisioner.aws.offers;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.aws.model.Aws;
import io.elastune.provisioner.aws.model.GpuType;
import io.elastune.provisioner.remote.CsvResource;
import io.elastune.provisioner.remote.ListPriceOffers;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.NodeCharges;
import io.elastune.provisioner.remote.PriceTable;
import io.elastune.provisioner.remote.ShippedPrice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Reads the price tables that Elastune ships, which need no credentials or network. There is one
 * table per region; docs/aws.md states the sources. Queueing and boot times are assumed.
 */
public final class ShippedOffers {
  private static final String DEFAULT_REGION = "us-east-1";

  /** Settings define neither disk nor address: the default disk and a public address. */
  private static final NodeCharges CHARGES = NodeCharges.withoutSettings(true);

  private static final PriceTable TABLE =
      new PriceTable(ShippedOffers.class, "aws, shipped table", (region, cells) -> price(cells));

  private static final Map<String, ShippedType> TYPES =
      CsvResource.required(ShippedOffers.class, "types.csv").stream()
          .map(ShippedType::parse)
          .collect(
              Collectors.toMap(ShippedType::name, type -> type, (a, b) -> a, LinkedHashMap::new));

  /** Families without an on-demand price; docs/aws.md names them. */
  private static final List<String> CAPACITY_BLOCKS = List.of("p5e.", "p6e-");

  private ShippedOffers() {}

  private static ShippedPrice price(List<String> cells) {
    String spot = cells.get(3);
    return new ShippedPrice(
        cells.get(0),
        Double.parseDouble(cells.get(1)),
        cells.get(2),
        spot.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(spot)),
        cells.get(4),
        Optional.empty());
  }

  /**
   * Returns the offers in these places; empty if none of them is in the tables. A zone has the
   * types and prices of its region, because the tables have no zones.
   */
  public static Optional<OfferCatalog> in(List<Location> locations) {
    return TABLE.catalog(
        locations, false, (place, price, market) -> offer(place, price, market, CHARGES));
  }

  /** Returns the offer at a shipped price; empty if the type is not offered in the market. */
  static Optional<Offer> offer(
      Location place, ShippedPrice price, Market market, NodeCharges charges) {
    ShippedType type =
        Optional.ofNullable(TYPES.get(price.type()))
            .orElseThrow(() -> new IllegalStateException(price.type() + " is not in types.csv"));
    OptionalDouble usd = price.usdPerHour(market);
    return type.isSold(market) && usd.isPresent()
        ? Optional.of(offer(place, type.toGpuType(), market, usd.getAsDouble(), charges))
        : Optional.empty();
  }

  /**
   * Returns the region for {@code aws} without a region: one, because all regions would fill many
   * screens.
   */
  public static Location defaultPlace() {
    return Location.ofRegion(Aws.PROVIDER, DEFAULT_REGION);
  }

  /**
   * Returns the on-demand prices of a region in USD per hour, also of types that are not offered.
   */
  public static Map<String, Double> onDemandUsdPerHour(String region) {
    return TABLE.prices(region).stream()
        .collect(Collectors.toMap(ShippedPrice::type, ShippedPrice::onDemand));
  }

  /** Returns the prices of a region, by instance type. */
  static Map<String, ShippedPrice> prices(String region) {
    return TABLE.prices(region).stream()
        .collect(Collectors.toMap(ShippedPrice::type, price -> price));
  }

  /** Returns how AWS sells a type that it does not sell on demand and on spot. */
  public static List<String> restrictedSales(String instanceType) {
    return CAPACITY_BLOCKS.stream().anyMatch(instanceType::startsWith)
        ? List.of("capacity-block")
        : List.of();
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
  static Offer offer(
      Location place, GpuType type, Market market, double usdPerHour, NodeCharges charges) {
    return ListPriceOffers.offer(
        place, type.name(), type.gpu(), type.gpus(), market, usdPerHour, charges);
  }
}
