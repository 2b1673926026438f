package io.elastune.provisioner.gcp.offers;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.gcp.model.GpuModels;
import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.model.Location;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Creates offers from the shipped price table, which has a date and needs neither credentials nor a
 * network. Queueing and boot times are assumed; {@code types.csv} states their source.
 */
public final class ShippedOffers {
  private static final String DATE = "2026-07-30";
  private static final String SOURCE = "gcp, shipped table";
  private static final String DEFAULT_REGION = "us-central1";

  /** Google's terms: billed per second, with a minimum of one minute. */
  private static final BillingTerms BILLING = new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0);

  // For types that the table does not have, with the same rule.
  private static final double QUEUE_S = 17;
  private static final double BOOT_S = 46;
  private static final double BOOT_S_PER_GPU = (230.0 - 46) / 7;

  private static final double QUEUE_CV = 0.3;
  private static final double BOOT_CV = 0.4;

  private static final Map<String, ShippedType> TYPES =
      rows("types.csv", ShippedType::parse).stream()
          .collect(
              Collectors.toMap(ShippedType::name, type -> type, (a, b) -> a, LinkedHashMap::new));
  private static final List<ShippedPrice> PRICES = rows("prices.csv", ShippedPrice::parse);

  private ShippedOffers() {}

  /** Returns the offers in these places; empty if none of them is in the table. */
  public static Optional<OfferCatalog> in(List<Location> locations) {
    Map<String, Offer> offers = new LinkedHashMap<>();
    for (Location location : locations) {
      for (ShippedPrice price : PRICES) {
        if (price.region().equals(location.region()) && isZoneOf(location)) {
          for (Market market : Market.values()) {
            Offer offer = offer(location, type(price.type()), market, price.usdPerHour(market));
            offers.put(offer.name(), offer);
          }
        }
      }
    }
    return offers.isEmpty()
        ? Optional.empty()
        : Optional.of(new OfferCatalog(SOURCE, DATE, List.copyOf(offers.values())));
  }

  /** The table has no zones, but their names start with the region. */
  private static boolean isZoneOf(Location location) {
    return location.zone().map(Location::regionOf).map(location.region()::equals).orElse(true);
  }

  /**
   * Returns the region for {@code gcp} without a region: one, because all forty would fill many
   * screens.
   */
  public static Location defaultPlace() {
    return new Location(DEFAULT_REGION, Optional.empty());
  }

  /** Returns the price of a type in USD per hour; empty if it is not in the table. */
  public static Optional<Double> usdPerHour(String region, String type, Market market) {
    return PRICES.stream()
        .filter(price -> price.region().equals(region) && price.type().equals(type))
        .map(price -> price.usdPerHour(market))
        .findFirst();
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
    return PRICES.stream()
        .filter(price -> type(price.type()).gpu().equals(gpu))
        .map(price -> price.onDemand() / type(price.type()).gpus())
        .min(Double::compare);
  }

  /** Returns the table row of a type from Google, or one with assumed queueing and boot times. */
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
            QUEUE_S,
            BOOT_S + BOOT_S_PER_GPU * (type.gpus() - 1));
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
        new Spread(type.queueS(), QUEUE_CV),
        new Spread(type.bootS(), BOOT_CV),
        0,
        0,
        1);
  }

  private static ShippedType type(String name) {
    return Optional.ofNullable(TYPES.get(name))
        .orElseThrow(
            () ->
                new IllegalStateException(name + " has a price, but is not in the table of types"));
  }

  private static <T> List<T> rows(String name, Function<String, T> parse) {
    List<T> rows = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(open(name), StandardCharsets.UTF_8))) {
      reader.lines().filter(line -> !line.startsWith("#")).skip(1).map(parse).forEach(rows::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(rows);
  }

  private static InputStream open(String name) {
    InputStream stream = ShippedOffers.class.getResourceAsStream(name);
    if (stream == null) {
      throw new IllegalStateException(name + " is missing from the application");
    }
    return stream;
  }
}
