package io.elastune.core.job;

import io.elastune.core.Check;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Where the profile comes from.
 *
 * @param file a profile file, relative to the job file; measured or reused when empty
 * @param reuse how old a measured profile may be
 * @param maxUsd the most that measuring may cost
 * @param maxTime the longest that measuring may take
 */
public record ProfilePolicy(
    Optional<String> file, Duration reuse, OptionalDouble maxUsd, Optional<Duration> maxTime) {
  /** Reuse what is at most 14 days old, else measure within ten minutes. */
  public static final ProfilePolicy DEFAULT =
      new ProfilePolicy(
          Optional.empty(),
          Duration.ofDays(14),
          OptionalDouble.empty(),
          Optional.of(Duration.ofMinutes(10)));

  public ProfilePolicy {
    Check.that(!reuse.isNegative(), "profile.reuse must not be negative: " + reuse);
  }
}
