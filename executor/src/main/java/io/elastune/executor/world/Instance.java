package io.elastune.executor.world;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.Node;
import java.util.Collections;
import java.util.Optional;

/** One machine, as it really is. Moments are nanoseconds of the timeline. */
final class Instance {
  static final long NEVER = Long.MAX_VALUE;

  /** Where it stands. */
  enum State {
    PENDING,
    BOOTING,
    READY,
    SETUP_FAILED,
    TERMINATED
  }

  final String id;
  final LeaseRequest request;
  State state = State.PENDING;
  long runningAt = NEVER;
  long readyAt = NEVER;
  long endedAt = NEVER;
  LifeLimit limit = LifeLimit.NONE;
  boolean reachable = true;
  boolean diskFull;

  /** Whether the cloud has given notice that it takes it back. */
  boolean leaving;

  Optional<String> setupFailure = Optional.empty();
  private int workers;
  private long usedSince;
  private long used;

  Instance(String id, LeaseRequest request) {
    this.id = id;
    this.request = request;
  }

  String lease() {
    return request.lease();
  }

  Offer offer() {
    return request.offer();
  }

  boolean alive() {
    return state != State.TERMINATED;
  }

  /** Whether workers can be started on it. */
  boolean takesWorkers() {
    return state == State.READY && reachable;
  }

  /** An attempt begins on it. */
  void use(long now) {
    if (workers++ == 0) {
      usedSince = now;
    }
  }

  /** An attempt on it has ended. */
  void leave(long now) {
    if (--workers == 0) {
      used += now - usedSince;
    }
  }

  /** Nanoseconds up to {@code now} in which at least one attempt ran on it. */
  long usedUntil(long now) {
    return used + (workers > 0 ? Math.max(0, now - usedSince) : 0);
  }

  Node node() {
    return new Node(id, Collections.nCopies(offer().gpus(), "0"));
  }
}
