package io.elastune.executor.local;

import java.time.Duration;

/**
 * How patient the local engine is.
 *
 * @param stopGrace from SIGTERM to SIGKILL when an attempt is stopped
 * @param siblingGrace the same for the other workers when one has failed
 */
public record EngineSettings(Duration stopGrace, Duration siblingGrace) {
  /** As the trial protocol promises. */
  public static final EngineSettings DEFAULT =
      new EngineSettings(Duration.ofSeconds(30), Duration.ofSeconds(3));
}
