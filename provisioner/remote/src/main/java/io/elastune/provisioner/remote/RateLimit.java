package io.elastune.provisioner.remote;

import java.time.Duration;
import java.time.Instant;

/** Limits the rate of calls with a token bucket, as clouds limit their callers. */
public final class RateLimit {
  private static final double NANOS = 1e9;

  private final double capacity;
  private final double perSecond;
  private double held;
  private Instant last = Instant.EPOCH;
  private Instant closedUntil = Instant.EPOCH;

  /** Creates a full bucket. */
  public RateLimit(double capacity, double perSecond) {
    this.capacity = capacity;
    this.perSecond = perSecond;
    this.held = capacity;
  }

  /** Takes a token and returns true, or returns false if none is available. */
  public boolean tryAcquire(Instant now) {
    double passed = Math.max(0, Duration.between(last, now).toNanos() / NANOS);
    held = last.equals(Instant.EPOCH) ? capacity : Math.min(capacity, held + passed * perSecond);
    last = now;
    if (held < 1 || now.isBefore(closedUntil)) {
      return false;
    }
    held--;
    return true;
  }

  /** Empties the bucket and closes it for a time: other clients use the same limit. */
  public void pause(Instant now, Duration time) {
    held = 0;
    last = now;
    closedUntil = now.plus(time);
  }
}
