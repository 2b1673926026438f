package io.elastune.provisioner.remote;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Limits the calls of one action with a token bucket, as clouds do. */
public final class CallThrottle {
  private final double capacity;
  private final double perSecond;
  private double held;
  private @Nullable Instant last;

  /**
   * Creates a full bucket.
   *
   * @param perSecond tokens that are added per second
   */
  public CallThrottle(double capacity, double perSecond) {
    this.capacity = capacity;
    this.perSecond = perSecond;
    held = capacity;
  }

  /** Returns whether a call is allowed. */
  public synchronized boolean take(Instant now) {
    if (last != null) {
      held = Math.min(capacity, held + Duration.between(last, now).toNanos() / 1e9 * perSecond);
    }
    last = now;
    if (held < 1) {
      return false;
    }
    held--;
    return true;
  }
}
