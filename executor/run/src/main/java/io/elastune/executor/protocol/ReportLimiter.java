package io.elastune.executor.protocol;

import io.elastune.core.time.Seconds;
import java.time.Instant;

/**
 * Limits how many reports of an attempt are recorded, as a token bucket. Every recorded report is a
 * durable transaction, so a trial with units of milliseconds would otherwise wait for the journal.
 */
final class ReportLimiter {
  private static final double PER_SECOND = 10;
  private static final double BURST = 100;

  private double tokens = BURST;
  private Instant last = Instant.MAX;

  /** Whether a report at {@code now} is recorded. */
  boolean permits(Instant now) {
    double passedS = now.isAfter(last) ? Seconds.between(last, now) : 0;
    last = now;
    tokens = Math.min(BURST, tokens + passedS * PER_SECOND);
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
