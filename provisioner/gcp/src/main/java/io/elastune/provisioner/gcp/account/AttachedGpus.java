package io.elastune.provisioner.gcp.account;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Machines that GPUs are attached to. Any of many types would do; offered is the one with eight
 * processors and 30 GB for each GPU, which all of these models allow (Compute Engine's
 * documentation, "GPU machine types", 2026).
 */
public final class AttachedGpus {
  private static final Set<String> MODELS =
      Set.of("nvidia-tesla-t4", "nvidia-tesla-p4", "nvidia-tesla-p100", "nvidia-tesla-v100");

  private static final int[] COUNTS = {1, 2, 4, 8};
  private static final int VCPUS_PER_GPU = 8;
  private static final double GB_PER_VCPU = 3.75;

  private AttachedGpus() {}

  /**
   * The machines with GPUs of a model.
   *
   * @param accelerator Google's name of it
   * @param most GPUs of it that one machine can have
   */
  public static List<GpuType> types(String accelerator, int most) {
    return MODELS.contains(accelerator)
        ? IntStream.of(COUNTS)
            .filter(count -> count <= most)
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
