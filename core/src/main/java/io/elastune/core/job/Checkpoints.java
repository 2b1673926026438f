package io.elastune.core.job;

import io.elastune.core.Check;
import java.util.Optional;

/**
 * How the checkpoints of trials are kept, and what that costs.
 *
 * @param store where they are kept; the run's folder when empty
 * @param keep checkpoints kept of each trial
 * @param sizeGb size of one, in GB as the store bills them
 * @param usdPerGbMonth price of the store
 */
public record Checkpoints(Optional<String> store, int keep, double sizeGb, double usdPerGbMonth) {
  /** Hours in a month, as stores bill them: 8,760 a year by twelve. */
  public static final double HOURS_PER_MONTH = 730;

  public Checkpoints {
    Check.atLeast("trial.checkpoint.keep", 1, keep);
    Check.notNegative("trial.checkpoint.size_gb", sizeGb);
    Check.notNegative("trial.checkpoint.usd_per_gb_month", usdPerGbMonth);
  }

  /**
   * Dollars per hour of a search of {@code trials}, each with {@code keep} checkpoints: as many as
   * a trial has between its attempts, once it has written them. Eliminated trials keep theirs. A
   * trial that has not yet written them all is counted with all.
   */
  public double usdPerHour(int trials) {
    return (double) trials * keep * sizeGb * usdPerGbMonth / HOURS_PER_MONTH;
  }
}
