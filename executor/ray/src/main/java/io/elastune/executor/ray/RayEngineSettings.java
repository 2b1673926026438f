package io.elastune.executor.ray;

import java.time.Duration;

/**
 * The settings of a Ray engine.
 *
 * @param timeToLive time without a renewal after which a node ends its workers
 * @param stopGrace time from SIGTERM to SIGKILL when an attempt is stopped
 * @param siblingGrace time from SIGTERM to SIGKILL for the other workers after one has failed
 * @param lostAfter time without an answer of a node, while others answer, after which it is lost
 */
public record RayEngineSettings(
    Duration timeToLive, Duration stopGrace, Duration siblingGrace, Duration lostAfter) {
  private static final Duration STOP_GRACE = Duration.ofSeconds(30);
  private static final Duration SIBLING_GRACE = Duration.ofSeconds(3);

  /** A restarted raylet or head takes 5 to 45 s until its nodes answer again. */
  private static final Duration LOST_AFTER = Duration.ofSeconds(60);

  /** Returns the settings of a run whose workers end after {@code deadMan} without a controller. */
  public static RayEngineSettings of(Duration deadMan) {
    return new RayEngineSettings(deadMan, STOP_GRACE, SIBLING_GRACE, lostAfter(deadMan));
  }

  /**
   * Returns the time without an answer of a node after which it is lost. Without a renewal for
   * {@code deadMan}, its workers have ended.
   */
  public static Duration lostAfter(Duration deadMan) {
    return deadMan.compareTo(LOST_AFTER) < 0 ? deadMan : LOST_AFTER;
  }
}
