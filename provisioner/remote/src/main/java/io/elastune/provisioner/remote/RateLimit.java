package io.elastune.provisioner.remote;

import java.time.Duration;
import java.time.Instant;

/** A bucket that holds so many calls and fills again, as clouds limit their callers. */
public final class RateLimit {
  private static final double NANOS = 1e9;

  private final double capacity;
  private final double perSecond;
  private double held;
  private Instant last = Instant.EPOCH;
  private Instant closedUntil = Instant.EPOCH;

  /** A full bucket. */
  public RateLimit(double capacity, double perSecond) {
    this.capacity = capacity;
    this.perSecond = perSecond;
    this.held = capacity;
  }

  /** Takes one, if there is one. */
  public boolean take(Instant now) {
    double passed = Math.max(0, Duration.between(last, now).toNanos() / NANOS);
    held = last.equals(Instant.EPOCH) ? capacity : Math.min(capacity, held + passed * perSecond);
    last = now;
    if (held < 1 || now.isBefore(closedUntil)) {
      return false;
    }
    held--;
    return true;
  }

  /** Gives none for that long: somebody else uses the limit up too. */
  public void close(Instant now, Duration time) {
    held = 0;
    last = now;
    closedUntil = now.plus(time);
  }
}
