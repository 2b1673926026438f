package io.elastune.provisioner.gcp.model;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Lists machine types to which GPUs are attached. Many types would fit. Elastune offers the one
 * with 8 vCPUs and 30 GB per GPU, which all of these models allow (Compute Engine's documentation,
 * "GPU machine types", 2026).
 */
public final class AttachedGpus {
  private static final Set<String> MODELS =
      Set.of("nvidia-tesla-t4", "nvidia-tesla-p4", "nvidia-tesla-p100", "nvidia-tesla-v100");

  private static final int[] COUNTS = {1, 2, 4, 8};
  private static final int VCPUS_PER_GPU = 8;
  private static final double GB_PER_VCPU = 3.75;

  private AttachedGpus() {}

  /**
   * Returns the machine types with GPUs of one model.
   *
   * @param accelerator Google's name of the model
   * @param max the largest number of these GPUs on one instance
   */
  public static List<GpuType> types(String accelerator, int max) {
    return MODELS.contains(accelerator)
        ? IntStream.of(COUNTS)
            .filter(count -> count <= max)
            .mapToObj(count -> type(accelerator, count))
            .toList()
        : List.of();
  }

  private static GpuType type(String accelerator, int count) {
    int vcpus = VCPUS_PER_GPU * count;
    return new GpuType(
        MachineShape.of("n1-standard-" + vcpus, accelerator, count).toString(),
        accelerator,
        count,
        vcpus,
        GB_PER_VCPU * vcpus);
  }
}
