package io.elastune.core.job;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/** How a job obtains its profile: from a file, from an earlier measurement or from a new one. */
@FileSection(title = "profile", doc = "How the profile is obtained.")
public record ProfilePolicy(
    @FileField(
            doc = "A profile file to use; relative to the job file.",
            without = "measured or reused",
            example = "profile.yaml")
        Optional<String> file,
    @FileField(doc = "Maximum age of a measured profile that is reused.", example = "14d")
        @Bounds(least = 0)
        Duration reuse,
    @FileField(doc = "Maximum cost of profiling.", without = "no limit of its own", example = "2")
        @Bounds(least = 0, most = Bounds.MOST_USD, unit = "USD")
        OptionalDouble maxUsd,
    @FileField(doc = "Maximum time for profiling.", example = "10m") @Bounds(above0 = true)
        Optional<Duration> maxTime,
    @FileField(
            doc =
                "Trials that may share a GPU, if their memory fits: profiling also measures 2, 4"
                    + " and more.",
            example = "1..4")
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
