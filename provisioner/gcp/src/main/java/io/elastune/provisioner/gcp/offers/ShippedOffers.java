package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.gcp.model.Gcp;
import io.elastune.provisioner.gcp.model.GpuModels;
import io.elastune.provisioner.gcp.model.GpuType;
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
 * Creates offers from the shipped price tables, which have dates and need neither credentials nor a
 * network. There is one table per region, with the machine types that exist there; docs/gcp.md
 * states the sources. Queueing and boot times are assumed.
 */
public final class ShippedOffers {
  private static final String SOURCE = "gcp, shipped table";
  private static final String DEFAULT_REGION = "us-central1";

  private static final PriceTable TABLE =
      new PriceTable(ShippedOffers.class, SOURCE, ShippedOffers::price);

  /** Without settings: the default disk and no public address, as in clouds.yaml. */
  private static final NodeCharges CHARGES = NodeCharges.withoutSettings(false);

  private static final Map<String, ShippedType> TYPES =
      CsvResource.required(ShippedOffers.class, "types.csv").stream()
          .map(ShippedType::parse)
          .collect(
              Collectors.toMap(ShippedType::name, type -> type, (a, b) -> a, LinkedHashMap::new));

  private ShippedOffers() {}

  private static ShippedPrice price(String region, List<String> cells) {
    String spot = cells.get(2);
    List<String> letters =
        cells.get(5).isEmpty() ? List.of() : List.of(cells.get(5).split(" ", -1));
    return new ShippedPrice(
        cells.get(0),
        Double.parseDouble(cells.get(1)),
        cells.get(3),
        spot.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(spot)),
        spot.isEmpty() ? "" : cells.get(3),
        Optional.of(letters.stream().map(letter -> region + "-" + letter).toList()));
  }

  /** Returns the offers in these places; empty if none of them is in the tables. */
  public static Optional<OfferCatalog> in(List<Location> locations) {
    return TABLE.catalog(
        locations, false, (place, price, market) -> offer(place, price, market, CHARGES));
  }

  /** Returns the offer at a shipped price; empty if the type is not sold in the market. */
  static Optional<Offer> offer(
      Location place, ShippedPrice price, Market market, NodeCharges charges) {
    OptionalDouble usd = price.usdPerHour(market);
    return SoldMarkets.contains(price.type(), market) && usd.isPresent()
        ? Optional.of(offer(place, type(price.type()), market, usd.getAsDouble(), charges))
        : Optional.empty();
  }

  /** Returns how Google sells a type that it does not sell on demand and on spot. */
  public static List<String> restrictedSales(String machineType) {
    return SoldMarkets.restricted(machineType);
  }

  /** Returns the prices of a region. */
  static List<ShippedPrice> prices(String region) {
    return TABLE.prices(region);
  }

  /**
   * Returns the region for {@code gcp} without a region: one, because all regions would fill many
   * screens.
   */
  public static Location defaultPlace() {
    return Location.ofRegion(Gcp.PROVIDER, DEFAULT_REGION);
  }

  /** Returns the price of a type in USD per hour; empty if it is not in the table. */
  public static OptionalDouble usdPerHour(String region, String type, Market market) {
    return TABLE
        .find(region, type)
        .map(price -> price.usdPerHour(market))
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

  static Offer offer(
      Location place, ShippedType type, Market market, double usdPerHour, NodeCharges charges) {
    return ListPriceOffers.offer(
        place, type.name(), type.gpu(), type.gpus(), market, usdPerHour, charges);
  }

  private static ShippedType type(String name) {
    return Optional.ofNullable(TYPES.get(name))
        .orElseThrow(
            () ->
                new IllegalStateException(name + " has a price, but is not in the table of types"));
  }
}
