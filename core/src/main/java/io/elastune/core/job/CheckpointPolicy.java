package io.elastune.core.job;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import java.util.Optional;

/**
 * Where the checkpoints of trials are stored, how many are kept, and what the storage costs.
 *
 * @param store storage URL or folder; the run's folder when empty
 * @param keep number of checkpoints kept per trial
 * @param sizeGb size of one checkpoint, in GB as billed by the storage provider
 * @param usdPerGbMonth storage price in USD per GB and month
 * @param every the units between two checkpoints that trials support, if Elastune decides when they
 *     save; empty if they save as they like
 */
public record CheckpointPolicy(
    Optional<String> store,
    int keep,
    double sizeGb,
    double usdPerGbMonth,
    Optional<IntRange> every) {
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
