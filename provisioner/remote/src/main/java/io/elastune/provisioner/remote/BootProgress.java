package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.util.Optional;

/** Tracks how far a node has booted. Used in the event loop only. */
final class BootProgress {
  private Optional<CloudEvent> outcome = Optional.empty();
  private boolean asking;
  private Instant askedLast = Instant.EPOCH;
  private Instant since = Instant.EPOCH;

  /** Starts to wait for the report of the node, whose instance runs now. */
  void start(Instant now) {
    since = now;
  }

  /** Returns whether the node is ready or its setup has failed. */
  boolean isFinished() {
    return outcome.isPresent();
  }

  /** Returns the report that the node is ready, or that its setup has failed. */
  Optional<CloudEvent> outcome() {
    return outcome;
  }

  void finish(CloudEvent reported) {
    outcome = Optional.of(reported);
  }

  Instant startedAt() {
    return since;
  }

  boolean isQueryPending() {
    return asking;
  }

  Instant lastQueryAt() {
    return askedLast;
  }

  void startQuery(Instant now) {
    asking = true;
    askedLast = now;
  }

  void finishQuery() {
    asking = false;
  }
}
