package io.elastune.provisioner.remote;

import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Computes the expiry of nodes and when it must be renewed. Used in the event loop only. */
final class NodeExpiry {
  private final Duration renew;
  private NodeExpiryLimit limit = NodeExpiryLimit.NONE;

  /** Creates the rules; {@code renew} is the longest time between two renewals. */
  NodeExpiry(Duration renew) {
    this.renew = renew;
  }

  /** Sets a limit that no expiry may exceed. */
  void setLimit(NodeExpiryLimit other) {
    limit = other;
  }

  /** Returns the first expiry of a node that is requested now. */
  Instant firstExpiry(LeaseRequest request, Instant now) {
    Instant usual = now.plus(request.deadMan()).plus(renew);
    return earlier(usual, limit.expiryOf(request.lease(), now));
  }

  /**
   * Returns whether a node stays within the limit even without further renewals.
   *
   * @param made when the node was created, by the cloud's clock
   * @param expiry the last expiry that the node is known to have received
   */
  boolean isWithinLimit(String lease, Instant made, Optional<Instant> expiry) {
    return !limit.isLimited() || expiry.filter(end -> limit.allows(lease, made, end)).isPresent();
  }

  /**
   * Returns the expiry of a node that is renewed now.
   *
   * @param deadMan time without contact after which the node shuts down
   * @param made when the node was created, by the cloud's clock, so that its start does not depend
   *     on this machine's clock
   */
  Instant nextExpiry(String lease, Duration deadMan, Instant made, Instant now) {
    return earlier(now.plus(deadMan).plus(interval(deadMan)), limit.expiryOf(lease, made));
  }

  private static Instant earlier(Instant one, Instant other) {
    Instant end = one.isBefore(other) ? one : other;
    return end.truncatedTo(ChronoUnit.SECONDS); // nodes compare whole seconds
  }

  /**
   * Returns whether the expiry of a node must be renewed now.
   *
   * @param last when this process last renewed it; empty if only its creation has set it
   */
  boolean isDue(Optional<Instant> last, Duration deadMan, Instant made, Instant now) {
    if (last.isEmpty() && limit.isLimited()) {
      return true; // its first expiry rests on this machine's clock, or ignores the limit
    }
    return !now.isBefore(last.orElse(made).plus(interval(deadMan)));
  }

  /**
   * Returns the renewal time to record after a failure, so that the next is due after {@code soon}.
   */
  Instant lastRenewalAfterFailure(Duration deadMan, Duration soon, Instant now) {
    return now.minus(interval(deadMan)).plus(soon);
  }

  /** Returns at most half the dead-man time, so that one renewal may fail. */
  private Duration interval(Duration deadMan) {
    Duration half = deadMan.dividedBy(2);
    return half.compareTo(renew) < 0 ? half : renew;
  }
}
