package io.elastune.core.plan;

import io.elastune.core.Preconditions;

/**
 * The instances and GPUs that a plan assigns to one trial group.
 *
 * @param offer the offer's name
 * @param instances instances held for the group
 * @param gpusPerTrial GPUs per trial; 1 when several trials share a GPU
 * @param trialsPerGpu trials per GPU
 */
public record Allocation(String offer, int instances, int gpusPerTrial, int trialsPerGpu) {
  public Allocation {
    Preconditions.text("offer", offer);
    Preconditions.atLeast("instances", 1, instances);
    Preconditions.atLeast("gpus_per_trial", 1, gpusPerTrial);
    Preconditions.atLeast("trials_per_gpu", 1, trialsPerGpu);
    Preconditions.that(
        trialsPerGpu == 1 || gpusPerTrial == 1,
        "gpus_per_trial must be 1 when trials_per_gpu is " + trialsPerGpu);
  }

  public Allocation withInstances(int other) {
    return new Allocation(offer, other, gpusPerTrial, trialsPerGpu);
  }
}
