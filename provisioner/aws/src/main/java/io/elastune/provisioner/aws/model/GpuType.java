package io.elastune.provisioner.aws.model;

import io.elastune.core.Preconditions;

/**
 * An instance type with GPUs.
 *
 * @param gpu the GPU model, as named in offers
 * @param vcpus vCPUs, the unit of EC2 quotas
 */
public record GpuType(String name, String gpu, int gpus, int vcpus) {
  public GpuType {
    Preconditions.text("name", name);
    Preconditions.text("gpu", gpu);
    Preconditions.atLeast("gpus", 1, gpus);
    Preconditions.atLeast("vcpus", 1, vcpus);
  }
}
