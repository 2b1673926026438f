package io.elastune.core.job;

import io.elastune.core.Check;

/**
 * The money for a run, profiling included.
 *
 * @param warnAt fraction of {@code usd} at which a warning is given
 */
public record Budget(double usd, double warnAt, OnReach onReach) {
  /** What happens when the budget is reached. */
  public enum OnReach {
    /** Everything is stopped before spent + committed reaches it. */
    STOP("stop"),
    /** No new group is started once the forecast exceeds it. */
    FINISH_GROUP("finish-group");

    private final String word;

    OnReach(String word) {
      this.word = word;
    }

    /** The word used in files. */
    public String word() {
      return word;
    }
  }

  public Budget {
    Check.positive("budget.usd", usd);
    Check.fraction("budget.warn_at", warnAt);
  }
}
