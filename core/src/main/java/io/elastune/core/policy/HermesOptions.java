package io.elastune.core.policy;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;

/**
 * What a user chooses of Hermes (docs/searches.md, "Hermes").
 *
 * @param isMinimized whether less is better in the search's metric, which is no option of the
 *     policy
 */
@FileSection(
    title = "policy (hermes)",
    doc = "Places several trials on each GPU, and trains the one whose metric improves fastest.")
public record HermesOptions(
    @FileField(doc = "The most trials that take turns on a GPU.", example = "4") @Bounds(least = 1)
        int jobsPerGpu,
    @FileField(
            name = "slice",
            doc = "Units of a trial after which the trials of its GPU are compared.",
            example = "5")
        @Bounds(least = HermesOptions.LEAST_SLICE)
        int sliceUnits,
    boolean isMinimized)
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
  public PolicyType type() {
    return PolicyType.HERMES;
  }

  @Override
  public boolean preempts() {
    return true;
  }

  @Override
  public HermesOptions forMetric(boolean minimized) {
    return new HermesOptions(jobsPerGpu, sliceUnits, minimized);
  }

  /** Returns the rule of the policy. */
  public HermesRule rule() {
    return new HermesRule(jobsPerGpu, sliceUnits, isMinimized);
  }
}
