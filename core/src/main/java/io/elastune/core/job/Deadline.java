package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.time.Seconds;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/** The latest completion time of a run: a duration or a point in time. */
public sealed interface Deadline {
  /** Calls the function for this variant. */
  <R> R match(Function<Within, R> within, Function<At, R> at);

  /**
   * Returns the seconds from {@code start}, when the command started, to the deadline; negative if
   * it has passed.
   */
  default double secondsFrom(Instant start) {
    return match(
        within -> Seconds.of(within.duration()), at -> Seconds.between(start, at.instant()));
  }

  /** A duration from the start of the command, excluding the time at the confirmation prompt. */
  record Within(Duration duration) implements Deadline {
    public Within {
      Preconditions.that(
          !duration.isNegative() && !duration.isZero(), "deadline must be above 0: " + duration);
    }

    @Override
    public <R> R match(Function<Within, R> within, Function<At, R> at) {
      return within.apply(this);
    }
  }

  /** A point in time. */
  record At(Instant instant) implements Deadline {
    @Override
    public <R> R match(Function<Within, R> within, Function<At, R> at) {
      return at.apply(this);
    }
  }
}
