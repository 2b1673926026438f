package io.elastune.core.job;

import io.elastune.core.Check;
import io.elastune.core.time.Seconds;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/** When the run must have ended. */
public sealed interface Deadline {
  /** Calls the function for the kind that this is. */
  <R> R match(Function<Within, R> within, Function<At, R> at);

  /** Seconds left if the command started at {@code start}; may be negative for a moment past. */
  default double secondsFrom(Instant start) {
    return match(
        within -> Seconds.of(within.duration()), at -> Seconds.between(start, at.instant()));
  }

  /** From the start of the command, without the wait for the answer. */
  record Within(Duration duration) implements Deadline {
    public Within {
      Check.that(
          !duration.isNegative() && !duration.isZero(), "deadline must be above 0: " + duration);
    }

    @Override
    public <R> R match(Function<Within, R> within, Function<At, R> at) {
      return within.apply(this);
    }
  }

  /** At a moment. */
  record At(Instant instant) implements Deadline {
    @Override
    public <R> R match(Function<Within, R> within, Function<At, R> at) {
      return at.apply(this);
    }
  }
}
