package io.elastune.core.job;

import io.elastune.core.Preconditions;

/**
 * The budget of a run. It includes profiling.
 *
 * @param warnAt fraction of {@code usd} at which a warning is sent
 */
public record Budget(double usd, double warnAt, OnReach onReach) {
  /** What the controller does when the budget is reached. */
  public enum OnReach {
    /** Stops the run before spent + committed reaches the budget. */
    STOP("stop"),
    /** Starts no new trial group once the forecast exceeds the budget. */
    FINISH_GROUP("finish-group");

    private final String word;

    OnReach(String word) {
      this.word = word;
    }

    /** Returns the name used in files. */
    public String word() {
      return word;
    }
  }

  public Budget {
    Preconditions.positive("budget.usd", usd);
    Preconditions.fraction("budget.warn_at", warnAt);
  }
}
