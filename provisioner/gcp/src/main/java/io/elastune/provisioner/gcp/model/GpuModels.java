package io.elastune.provisioner.gcp.model;

import io.elastune.core.offer.Market;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Maps GPU models between the names in profiles, Google's accelerator names and its quota metrics.
 */
public final class GpuModels {
  /** The metric of a project's quota on GPUs over all regions. */
  public static final String ALL_REGIONS = "GPUS_ALL_REGIONS";

  /** Names in profiles, by Google's accelerator name. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("nvidia-l4", "L4"),
          Map.entry("nvidia-tesla-t4", "T4"),
          Map.entry("nvidia-tesla-v100", "V100"),
          Map.entry("nvidia-tesla-p100", "P100"),
          Map.entry("nvidia-tesla-p4", "P4"),
          Map.entry("nvidia-tesla-a100", "A100"),
          Map.entry("nvidia-a100-80gb", "A100-80GB"),
          Map.entry("nvidia-h100-80gb", "H100"),
          Map.entry("nvidia-h100-mega-80gb", "H100"),
          Map.entry("nvidia-h200-141gb", "H200"),
          Map.entry("nvidia-b200", "B200"),
          Map.entry("nvidia-rtx-pro-6000", "RTX-PRO-6000"));

  private GpuModels() {}

  /** Returns the name in profiles of one of Google's accelerators. */
  public static String name(String accelerator) {
    return Optional.ofNullable(NAMES.get(accelerator))
        .orElseGet(() -> accelerator.replace("nvidia-", "").toUpperCase(Locale.ROOT));
  }

  /**
   * Returns the metric of the regional quota on GPUs of a model.
   *
   * @param model the name in profiles
   */
  public static String gpuQuota(String model, Market market) {
    return (market == Market.SPOT ? "PREEMPTIBLE_" : "")
        + "NVIDIA_"
        + model.replace('-', '_')
        + "_GPUS";
  }

  /**
   * Returns the family of the GPUs of a machine type, as quotas of Cloud Quotas name it. The GPUs
   * of a3-megagpu have a family of their own.
   *
   * @param model the name in profiles
   */
  public static String gpuFamily(String model, String machineType) {
    return "NVIDIA_"
        + model.replace('-', '_')
        + (machineType.startsWith("a3-megagpu-") ? "_MEGA" : "");
  }

  /**
   * Returns the metrics of the quotas on a machine type's vCPUs: that of its family, then the
   * general one.
   */
  public static List<String> cpuQuotas(String machineType, Market market) {
    String family = machineType.split("-", 2)[0].toUpperCase(Locale.ROOT);
    String prefix = market == Market.SPOT ? "PREEMPTIBLE_" : "";
    return List.of(prefix + family + "_CPUS", prefix + "CPUS");
  }
}
