package io.elastune.provisioner.aws.account;

import io.elastune.core.Check;

/**
 * An instance type with GPUs.
 *
 * @param gpu the GPU model, as offers name it
 * @param vcpus virtual processors, in which EC2 counts quotas
 */
public record GpuType(String name, String gpu, int gpus, int vcpus) {
  public GpuType {
    Check.text("name", name);
    Check.text("gpu", gpu);
    Check.atLeast("gpus", 1, gpus);
    Check.atLeast("vcpus", 1, vcpus);
  }
}
