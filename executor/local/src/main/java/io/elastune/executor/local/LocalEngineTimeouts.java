package io.elastune.executor.local;

import java.time.Duration;

/**
 * The timeouts of the local engine.
 *
 * @param stopGrace time from SIGTERM to SIGKILL when an attempt is stopped
 * @param siblingGrace time from SIGTERM to SIGKILL for the other workers after one has failed
 */
public record LocalEngineTimeouts(Duration stopGrace, Duration siblingGrace) {
  /** The timeouts that the trial protocol guarantees. */
  public static final LocalEngineTimeouts DEFAULT =
      new LocalEngineTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(3));
}
