package io.elastune.core.job;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How a job obtains its profile: from a file, from an earlier measurement or from a new one.
 *
 * @param file a profile file, relative to the job file; empty to measure or reuse one
 * @param reuse maximum age of a measured profile that is reused
 * @param maxUsd maximum cost of profiling in USD
 * @param maxTime maximum time for profiling
 * @param trialsPerGpu numbers of trials that may share a GPU; those above 1 are measured, too
 */
public record ProfilePolicy(
    Optional<String> file,
    Duration reuse,
    OptionalDouble maxUsd,
    Optional<Duration> maxTime,
    IntRange trialsPerGpu) {
  /** No GPU is shared unless a profile file has measured times for it. */
  public static final IntRange NOT_SHARED = new IntRange(1, 1);

  /** Reuses a profile of at most 14 days; otherwise measures one within ten minutes. */
  public static final ProfilePolicy DEFAULT =
      new ProfilePolicy(
          Optional.empty(),
          Duration.ofDays(14),
          OptionalDouble.empty(),
          Optional.of(Duration.ofMinutes(10)),
          NOT_SHARED);

  public ProfilePolicy {
    Preconditions.that(!reuse.isNegative(), "profile.reuse must not be negative: " + reuse);
  }
}
