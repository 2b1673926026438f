package io.elastune.provisioner.gcp.model;

import io.elastune.core.Preconditions;

/**
 * A machine type with GPUs.
 *
 * @param accelerator Google's name of the GPU model
 * @param gpus the number of GPUs
 * @param vcpus the number of vCPUs
 * @param ramGb memory in GB
 */
public record GpuType(String name, String accelerator, int gpus, int vcpus, double ramGb) {
  public GpuType {
    Preconditions.text("name", name);
    Preconditions.atLeast("gpus", 1, gpus);
  }

  /**
   * Returns whether a zone that has this type has the shape too. For attached GPUs, any host type
   * is accepted.
   */
  public boolean matches(MachineShape shape) {
    return shape.accelerator().isPresent()
        ? shape.accelerator().get().equals(accelerator) && shape.count().orElse(1) == gpus
        : shape.machine().equals(name);
  }
}
