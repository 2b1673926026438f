package io.elastune.provisioner.aws.offers;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.aws.model.GpuType;
import io.elastune.provisioner.aws.model.Location;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads the price table that Elastune ships, which needs no credentials or network. Prices are as
 * of the table's date. Its queueing and boot times are assumed; comments in the table state their
 * source.
 */
public final class ShippedOffers {
  private static final String REGION = "us-east-1";
  private static final String DATE = "2026-07-20";
  private static final String SOURCE = "aws, shipped table";

  /** EC2's billing terms for Linux on demand: per second, at least one minute. */
  static final BillingTerms BILLING = new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0);

  static final double QUEUE_CV = 0.3;
  static final double BOOT_CV = 0.4;

  private ShippedOffers() {}

  /** Returns the offers in these places; empty if none of them is in the table. */
  public static Optional<OfferCatalog> in(List<Location> locations) {
    List<String> infra =
        locations.stream()
            .filter(p -> p.region().equals(REGION))
            .map(Location::infra)
            .distinct()
            .toList();
    if (infra.isEmpty()) {
      return Optional.empty();
    }
    List<Offer> offers = new ArrayList<>();
    for (ShippedType type : types()) {
      infra.forEach(place -> offers.add(offer(place, type)));
    }
    return Optional.of(new OfferCatalog(SOURCE, DATE, offers));
  }

  /** Returns all regions of the table. */
  public static List<Location> allRegions() {
    return List.of(new Location(REGION, Optional.empty()));
  }

  /** Returns all instance types of the table. */
  public static List<ShippedType> types() {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(open(), StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .filter(line -> !line.startsWith("#"))
          .skip(1) // the header
          .map(ShippedType::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces the GPU name by the one in the table, if any: profiles use that name. */
  static GpuType withTableGpuName(GpuType type) {
    return types().stream()
        .filter(shipped -> shipped.name().equals(type.name()))
        .findFirst()
        .map(known -> new GpuType(type.name(), known.gpu(), type.gpus(), type.vcpus()))
        .orElse(type);
  }

  /** Returns the assumed seconds from request to running, equal for all types. */
  static double queueS() {
    return types().stream().mapToDouble(ShippedType::queueS).max().orElseThrow();
  }

  /**
   * Returns the assumed seconds from running to ready: the table's value for that many GPUs or the
   * next larger number.
   */
  static double bootS(int gpus) {
    List<ShippedType> types = types();
    return types.stream()
        .filter(type -> type.gpus() >= gpus)
        .min(Comparator.comparing(ShippedType::gpus))
        .map(ShippedType::bootS)
        .orElseGet(() -> types.stream().mapToDouble(ShippedType::bootS).max().orElseThrow());
  }

  private static InputStream open() {
    String name = REGION + ".csv";
    InputStream stream = ShippedOffers.class.getResourceAsStream(name);
    if (stream == null) {
      throw new IllegalStateException("resource " + name + " is missing");
    }
    return stream;
  }

  private static Offer offer(String infra, ShippedType type) {
    return new Offer(
        infra,
        type.name(),
        type.gpu(),
        type.gpus(),
        Market.ON_DEMAND,
        type.usdPerHour(),
        PriceKind.LIST,
        BILLING,
        new Spread(type.queueS(), QUEUE_CV),
        new Spread(type.bootS(), BOOT_CV),
        0,
        0,
        1);
  }
}
