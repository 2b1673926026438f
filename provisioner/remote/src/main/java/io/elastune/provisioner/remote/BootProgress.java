package io.elastune.provisioner.remote;

import java.time.Instant;

/** Tracks how far a node has booted. Used in the event loop only. */
final class BootProgress {
  private boolean over;
  private boolean asking;
  private Instant askedLast = Instant.EPOCH;
  private Instant since = Instant.EPOCH;

  /** Starts to wait for the report of the node, whose instance runs now. */
  void start(Instant now) {
    since = now;
  }

  /** Returns whether the node is ready or its setup has failed. */
  boolean isFinished() {
    return over;
  }

  void finish() {
    over = true;
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
