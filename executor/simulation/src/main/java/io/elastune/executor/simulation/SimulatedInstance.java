package io.elastune.executor.simulation;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.PreparationFailure;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The true state of one simulated instance. Times are nanoseconds of the timeline. */
final class SimulatedInstance {
  static final long NEVER = Long.MAX_VALUE;

  /** The states of an instance. */
  enum State {
    PENDING,
    BOOTING,
    READY,
    UNUSABLE,
    TERMINATED
  }

  final String id;
  final LeaseRequest request;
  State state = State.PENDING;
  long runningAt = NEVER;
  long readyAt = NEVER;
  long endedAt = NEVER;
  NodeExpiryLimit limit = NodeExpiryLimit.NONE;
  boolean reachable = true;
  boolean diskFull;

  /** Whether the cloud has sent a preemption notice. */
  boolean leaving;

  Optional<PreparationFailure> preparationFailure = Optional.empty();
  private final Set<String> unreportedEnds = new HashSet<>();
  private int workers;
  private long usedSince;
  private long unusedSince;
  private long used;

  SimulatedInstance(String id, LeaseRequest request) {
    this.id = id;
    this.request = request;
  }

  String lease() {
    return request.lease();
  }

  Offer offer() {
    return request.offer();
  }

  boolean isAlive() {
    return state != State.TERMINATED;
  }

  /** Returns whether workers can be started on it. */
  boolean acceptsWorkers() {
    return state == State.READY && reachable;
  }

  /** Records that an attempt starts on it. */
  void attemptStarted(long now) {
    if (workers++ == 0) {
      usedSince = now;
    }
  }

  /** Records that an attempt on it has ended. */
  void attemptEnded(String attempt, long now) {
    unreportedEnds.add(attempt);
    if (--workers == 0) {
      used += now - usedSince;
      unusedSince = now;
    }
  }

  /** Records that a controller has received the end of an attempt on it. */
  void endReported(String attempt) {
    unreportedEnds.remove(attempt);
  }

  /**
   * Returns the nanoseconds since its last attempt has ended, as long as the controller cannot know
   * that; otherwise 0.
   */
  long unreportedIdle(long now) {
    return workers > 0 || unreportedEnds.isEmpty() ? 0 : now - unusedSince;
  }

  /** Returns the time until {@code now} in which at least one attempt ran on it, in nanoseconds. */
  long usedUntil(long now) {
    return used + (workers > 0 ? Math.max(0, now - usedSince) : 0);
  }

  Node node() {
    return new Node(id, Collections.nCopies(offer().gpus(), "0"));
  }
}
