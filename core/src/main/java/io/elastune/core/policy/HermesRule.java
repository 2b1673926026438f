package io.elastune.core.policy;

import io.elastune.core.Preconditions;

/**
 * The parameters of Hermes (docs/searches.md, "Hermes").
 *
 * @param jobsPerGpu the most trials that are placed on a GPU, of which one runs at a time
 * @param sliceUnits units after which the trials of a GPU are compared; at least 2
 * @param isMinimized whether less is better
 */
public record HermesRule(int jobsPerGpu, int sliceUnits, boolean isMinimized) {
  public HermesRule {
    Preconditions.atLeast("jobs_per_gpu", 1, jobsPerGpu);
    Preconditions.atLeast("slice", 2, sliceUnits);
  }
}
