package io.elastune.core.plan;

import io.elastune.core.time.Seconds;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * After how long without a sign of life an attempt is taken to hang (docs/trial-protocol.md, "Hung
 * trials"). Runs and predictions have this rule in common.
 *
 * @param seconds the user's limit; empty for the one that follows from the predicted time
 */
public record SilenceLimit(OptionalDouble seconds) {
  /** The limit that follows from the predicted time. */
  public static final SilenceLimit PREDICTED = new SilenceLimit(OptionalDouble.empty());

  /** An attempt is taken to hang after this multiple of its predicted time. */
  private static final double FACTOR = 3;

  private static final double LEAST_S = 20;

  /**
   * Returns the limit of a job.
   *
   * @param chosen {@code trial.silence}
   */
  public static SilenceLimit of(Optional<Duration> chosen) {
    return chosen
        .map(limit -> new SilenceLimit(OptionalDouble.of(Seconds.of(limit))))
        .orElse(PREDICTED);
  }

  /**
   * Returns the limit of an attempt in seconds.
   *
   * @param neededS mean seconds that it still needs
   * @param spreadS seconds by which they may vary
   */
  public double afterS(double neededS, double spreadS) {
    return seconds.orElse(Math.max(LEAST_S, FACTOR * neededS + spreadS));
  }
}
