package io.elastune.provisioner.gcp.account;

import io.elastune.core.offer.Market;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** GPU models: as profiles name them, as Google does, and as its quotas do. */
public final class GpuModels {
  /** By Google's name of the accelerator. */
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

  /** The model by Google's word for it. */
  public static String name(String accelerator) {
    return Optional.ofNullable(NAMES.get(accelerator))
        .orElseGet(() -> accelerator.replace("nvidia-", "").toUpperCase(Locale.ROOT));
  }

  /**
   * What the quota of a region is called that counts GPUs of a model.
   *
   * @param model as profiles name it
   */
  public static String quota(String model, Market market) {
    return (market == Market.SPOT ? "PREEMPTIBLE_" : "")
        + "NVIDIA_"
        + model.replace('-', '_')
        + "_GPUS";
  }

  /** What the quotas are called that count a type's processors: of its family, or of all. */
  public static List<String> cpuQuotas(String machineType, Market market) {
    String family = machineType.split("-", 2)[0].toUpperCase(Locale.ROOT);
    String prefix = market == Market.SPOT ? "PREEMPTIBLE_" : "";
    return List.of(prefix + family + "_CPUS", prefix + "CPUS");
  }
}
