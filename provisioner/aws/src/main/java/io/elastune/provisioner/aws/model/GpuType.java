package io.elastune.provisioner.aws.model;

import io.elastune.core.Check;

/**
 * An instance type with GPUs.
 *
 * @param gpu the GPU model, as named in offers
 * @param vcpus vCPUs, the unit of EC2 quotas
 */
public record GpuType(String name, String gpu, int gpus, int vcpus) {
  public GpuType {
    Check.text("name", name);
    Check.text("gpu", gpu);
    Check.atLeast("gpus", 1, gpus);
    Check.atLeast("vcpus", 1, vcpus);
  }
}
