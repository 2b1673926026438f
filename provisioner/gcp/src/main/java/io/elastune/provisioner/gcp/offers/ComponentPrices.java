package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.model.PriceCatalog;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prices of machine components by region and market. Google's catalog has no prices of machines,
 * only of their vCPUs, memory, GPUs and local disks. Items are identified only by their
 * description. The patterns follow the catalog as Cyclenerd's pricing calculator (Apache-2.0) reads
 * it, July 2026.
 */
final class ComponentPrices {
  /** The hours per month of Google's own price calculator. */
  private static final double HOURS_PER_MONTH = 730;

  private static final Pattern HOST =
      Pattern.compile(
          "(?:Spot Preemptible )?([A-Z][0-9]+)(?: Predefined)? Instance (Core|Ram) running in .*");
  private static final Pattern GPU =
      Pattern.compile(
          "(?:Nvidia )?(.+?)(?: GPU)? (?:running|attached to Spot Preemptible VMs running) in .*");
  private static final Pattern DISK =
      Pattern.compile("SSD backed Local Storage(?: attached to Spot Preemptible VMs)?(?: in .*)?");

  /** Compute Engine's accelerator names, by the GPU name in the catalog. */
  private static final Map<String, String> ACCELERATORS =
      Map.of(
          "Tesla T4", "nvidia-tesla-t4",
          "Tesla P4", "nvidia-tesla-p4",
          "Tesla P100", "nvidia-tesla-p100",
          "Tesla V100", "nvidia-tesla-v100",
          "Tesla A100", "nvidia-tesla-a100",
          "Tesla A100 80GB", "nvidia-a100-80gb",
          "H100 80GB", "nvidia-h100-80gb",
          "H100 80GB Mega", "nvidia-h100-mega-80gb",
          "L4", "nvidia-l4",
          "RTX 6000 96GB", "nvidia-rtx-pro-6000");

  private static final Map<String, String> UNITS =
      Map.of("core", "h", "ram", "GiBy.h", "gpu", "h", "disk", "GiBy.mo");

  private final Map<String, Double> usdPerHour = new TreeMap<>();

  /** Reads the current prices from the catalog. */
  static ComponentPrices of(PriceCatalog catalog) {
    ComponentPrices prices = new ComponentPrices();
    catalog.forEachItem(prices::add);
    return prices;
  }

  /** Parses the result of {@link #lines()}. */
  static ComponentPrices parse(List<String> lines) {
    ComponentPrices prices = new ComponentPrices();
    for (String line : lines) {
      int cut = line.lastIndexOf(',');
      prices.usdPerHour.put(line.substring(0, cut), Double.parseDouble(line.substring(cut + 1)));
    }
    return prices;
  }

  /** Returns one line for each component, region and market, for the cache. */
  List<String> lines() {
    return usdPerHour.entrySet().stream()
        .map(price -> price.getKey() + "," + price.getValue())
        .toList();
  }

  private void add(PriceCatalog.Item item) {
    Optional<Market> market = market(item.usage());
    Optional<String> part = part(item.description());
    if (market.isEmpty() || part.isEmpty()) {
      return;
    }
    String component = part.get().split(" ", 2)[0];
    if (!item.unit().equals(UNITS.get(component))) {
      return;
    }
    double usd = component.equals("disk") ? item.usd() / HOURS_PER_MONTH : item.usd();
    for (String region : item.regions()) {
      // The higher of two prices of one item, so that a plan never predicts too low a cost.
      usdPerHour.merge(key(part.get(), region, market.get()), usd, Math::max);
    }
  }

  private static Optional<Market> market(String usage) {
    return switch (usage) {
      case "OnDemand" -> Optional.of(Market.ON_DEMAND);
      case "Preemptible" -> Optional.of(Market.SPOT);
      default -> Optional.empty(); // commitments are bought in advance
    };
  }

  private static Optional<String> part(String description) {
    Matcher host = HOST.matcher(description);
    if (host.matches()) {
      return Optional.of(host.group(2).toLowerCase(Locale.ROOT) + " " + host.group(1));
    }
    if (DISK.matcher(description).matches()) {
      return Optional.of("disk local");
    }
    Matcher gpu = GPU.matcher(description);
    return gpu.matches()
        ? Optional.ofNullable(ACCELERATORS.get(gpu.group(1))).map(model -> "gpu " + model)
        : Optional.empty();
  }

  private static String key(String part, String region, Market market) {
    return part + "," + region + "," + market.word();
  }

  /**
   * Returns the price of a machine in USD per hour; empty if the price of a component is unknown.
   */
  OptionalDouble of(GpuType type, String region, Market market) {
    String family = type.name().split("-", 2)[0].toUpperCase(Locale.ROOT);
    double total =
        type.vcpus() * part("core " + family, region, market)
            + type.ramGb() * part("ram " + family, region, market)
            + type.gpus() * part("gpu " + type.accelerator(), region, market);
    double diskGb = localDiskGb(type);
    if (diskGb > 0) {
      total += diskGb * part("disk local", region, market);
    }
    return Double.isNaN(total) ? OptionalDouble.empty() : OptionalDouble.of(total);
  }

  private double part(String part, String region, Market market) {
    return usdPerHour.getOrDefault(key(part, region, market), Double.NaN);
  }

  /** Returns the local disk in GB that the machine type always includes. */
  private static double localDiskGb(GpuType type) {
    if (type.name().startsWith("a2-ultragpu-")) {
      return 375.0 * type.gpus();
    }
    return type.name().startsWith("a3-") ? 750.0 * type.gpus() : 0;
  }
}
