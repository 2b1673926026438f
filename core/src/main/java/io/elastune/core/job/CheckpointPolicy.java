package io.elastune.core.job;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Optional;

/** Where the checkpoints of trials are stored, how many are kept, and what the storage costs. */
@FileSection(
    title = "trial.checkpoint",
    doc = "When checkpoints are saved, and where they are stored.")
public record CheckpointPolicy(
    @FileField(
            doc = "A folder, a folder that all instances share (`file:`), or a bucket.",
            without = "the run's folder",
            example = "s3://bucket/prefix")
        Optional<String> store,
    @FileField(doc = "Number of checkpoints kept per trial.", absent = "2", example = "2")
        @Bounds(least = 1)
        int keep,
    @FileField(doc = "Size of one checkpoint.", absent = "0", example = "0.5")
        @Bounds(least = 0, most = CheckpointPolicy.MOST_GB, unit = "GB")
        double sizeGb,
    @FileField(
            doc =
                "Storage price of `keep` checkpoints of every trial, from the start of the plan to"
                    + " its completion.",
            absent = "0",
            example = "0.023")
        @Bounds(least = 0, most = Bounds.MOST_USD, unit = "USD per GB and month of 730 h")
        double usdPerGbMonth,
    @FileField(
            doc =
                "Units between two checkpoints that the trial supports; see"
                    + " [checkpoints](trial-protocol.md#checkpoints).",
            without = "trials save as they like",
            example = "1..16")
        Optional<IntRange> every) {
  static final double MOST_GB = 1e9;

  /** Hours in a billing month: 8,760 hours per year divided by 12. */
  public static final double HOURS_PER_MONTH = 730;

  public CheckpointPolicy {
    Preconditions.atLeast("trial.checkpoint.keep", 1, keep);
    Preconditions.notNegative("trial.checkpoint.size_gb", sizeGb);
    Preconditions.notNegative("trial.checkpoint.usd_per_gb_month", usdPerGbMonth);
    every.ifPresent(units -> Preconditions.atLeast("trial.checkpoint.every", 1, units.low()));
  }

  /**
   * Returns the storage cost in USD per hour of a search with {@code trials} trials, each with
   * {@code keep} checkpoints. Eliminated trials keep their checkpoints. A trial that has not yet
   * written all its checkpoints is counted with the full number.
   */
  public double usdPerHour(int trials) {
    return (double) trials * keep * sizeGb * usdPerGbMonth / HOURS_PER_MONTH;
  }
}
