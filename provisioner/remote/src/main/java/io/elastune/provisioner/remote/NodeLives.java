package io.elastune.provisioner.remote;

import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * By when nodes are to end unless that is put off, and when it is to be put off. Used in the loop
 * only.
 */
public final class NodeLives {
  private final Duration renew;
  private LifeLimit limit = LifeLimit.NONE;

  /** {@code renew}: the longest time between two renewals. */
  public NodeLives(Duration renew) {
    this.renew = renew;
  }

  /** No node is to live beyond it. */
  public void limit(LifeLimit other) {
    limit = other;
  }

  /** By when one that is ordered now is to end, until it is told of another time. */
  public Instant endOfOrdered(LeaseRequest request, Instant now) {
    Instant usual = now.plus(request.deadMan()).plus(renew);
    return earlier(usual, limit.endOf(request.lease(), now));
  }

  /**
   * Whether a node keeps to the limit also if it hears nothing more.
   *
   * @param made when it was made, as the cloud tells
   * @param told by when it was told to end last, as far as is known
   */
  public boolean hasHeard(String lease, Instant made, Optional<Instant> told) {
    return !limit.exists() || told.filter(end -> limit.isKept(lease, made, end)).isPresent();
  }

  /**
   * By when one that is told of it now is to end.
   *
   * @param deadMan silence after which it ends
   * @param made when it was made, as the cloud tells, so that a start is no matter of our clock
   */
  public Instant end(String lease, Duration deadMan, Instant made, Instant now) {
    return earlier(now.plus(deadMan).plus(interval(deadMan)), limit.endOf(lease, made));
  }

  private static Instant earlier(Instant one, Instant other) {
    Instant end = one.isBefore(other) ? one : other;
    return end.truncatedTo(ChronoUnit.SECONDS); // nodes know whole seconds only
  }

  /**
   * Whether it is time to put a node's end off.
   *
   * @param last when this process did so last; before that, making the node has set its time
   */
  public boolean isDue(Optional<Instant> last, Duration deadMan, Instant made, Instant now) {
    if (last.isEmpty() && limit.exists()) {
      return true; // it was made with a time that rests on our clock, or knows of no limit
    }
    return !now.isBefore(last.orElse(made).plus(interval(deadMan)));
  }

  /** What to take for the last time it was done, so that it is done again after {@code soon}. */
  public Instant failed(Duration deadMan, Duration soon, Instant now) {
    return now.minus(interval(deadMan)).plus(soon);
  }

  /** Half the dead-man time at most, so that one renewal may fail. */
  private Duration interval(Duration deadMan) {
    Duration half = deadMan.dividedBy(2);
    return half.compareTo(renew) < 0 ? half : renew;
  }
}
