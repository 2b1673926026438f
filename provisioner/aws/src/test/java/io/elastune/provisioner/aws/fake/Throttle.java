package io.elastune.provisioner.aws.fake;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Limits calls of an action with a token bucket, as EC2 does. */
final class Throttle {
  private final double capacity;
  private final double perSecond;
  private double held;
  private @Nullable Instant last;

  Throttle(double capacity, double perSecond) {
    this.capacity = capacity;
    this.perSecond = perSecond;
    held = capacity;
  }

  synchronized boolean take(Instant now) {
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
