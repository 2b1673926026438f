package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** The number of failed trials that a search tolerates: a count, or a share of its trials. */
public sealed interface FailedTrialLimit {
  /** Returns the number of failed trials that a search of {@code trials} trials tolerates. */
  int of(int trials);

  /** A number of trials. */
  record Count(int failed) implements FailedTrialLimit {
    public Count {
      Preconditions.atLeast("search.max_failed_trials", 0, failed);
    }

    @Override
    public int of(int trials) {
      return failed;
    }
  }

  /** A fraction of all trials, from 0 to 1; the number of trials is rounded down. */
  record Share(double fraction) implements FailedTrialLimit {
    public Share {
      Preconditions.that(
          fraction >= 0 && fraction <= 1, "search.max_failed_trials is not from 0% to 100%");
    }

    @Override
    public int of(int trials) {
      return BigDecimal.valueOf(fraction)
          .multiply(BigDecimal.valueOf(trials))
          .setScale(0, RoundingMode.FLOOR)
          .intValueExact();
    }
  }
}
