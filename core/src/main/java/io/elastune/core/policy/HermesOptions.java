package io.elastune.core.policy;

import io.elastune.core.Preconditions;

/**
 * What a user chooses of Hermes (docs/searches.md, "Hermes").
 *
 * @param jobsPerGpu the most trials that are placed on a GPU, of which one runs at a time
 * @param sliceUnits units after which the trials of a GPU are compared; at least 2
 * @param isMinimized whether less is better in the search's metric
 */
public record HermesOptions(int jobsPerGpu, int sliceUnits, boolean isMinimized)
    implements PolicyOptions {
  /** The fewest units after which a trial's convergence is known. */
  public static final int LEAST_SLICE = 2;

  /** The options of a user who chooses nothing and maximizes a metric. */
  public static final HermesOptions DEFAULT = new HermesOptions(3, LEAST_SLICE, false);

  public HermesOptions {
    Preconditions.atLeast("jobs_per_gpu", 1, jobsPerGpu);
    Preconditions.atLeast("slice", LEAST_SLICE, sliceUnits);
  }

  @Override
  public String word() {
    return "hermes";
  }

  @Override
  public boolean preempts() {
    return true;
  }

  /** Returns the same options with other numbers. */
  public HermesOptions with(int otherJobsPerGpu, int otherSliceUnits) {
    return new HermesOptions(otherJobsPerGpu, otherSliceUnits, isMinimized);
  }

  /** Returns the same options for a metric that is minimized or maximized. */
  public HermesOptions forMetric(boolean minimized) {
    return new HermesOptions(jobsPerGpu, sliceUnits, minimized);
  }

  /** Returns the rule of the policy. */
  public HermesRule rule() {
    return new HermesRule(jobsPerGpu, sliceUnits, isMinimized);
  }
}
