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
  private Optional<String> unreadable = Optional.empty();

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

  /** Returns why the report of the node can never be read; empty if it can. */
  Optional<String> unreadable() {
    return unreadable;
  }

  /** Ends the queries for the report of the node, which the account does not permit. */
  void markUnreadable(String reason) {
    unreadable = Optional.of(reason);
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
