package io.elastune.provisioner.gcp.account;

import io.elastune.core.Check;

/**
 * A machine type with GPUs.
 *
 * @param accelerator Google's name of the GPU model
 * @param gpus how many GPUs it has
 * @param vcpus virtual processors
 * @param ramGb memory
 */
public record GpuType(String name, String accelerator, int gpus, int vcpus, double ramGb) {
  public GpuType {
    Check.text("name", name);
    Check.atLeast("gpus", 1, gpus);
  }

  /** Whether where it is to be had, that shape is: any host will do that GPUs are attached to. */
  public boolean serves(MachineShape shape) {
    return shape.accelerator().isPresent()
        ? shape.accelerator().get().equals(accelerator) && shape.count().orElse(1) == gpus
        : shape.machine().equals(name);
  }
}
