package io.elastune.provisioner.remote;

import java.time.Instant;

/** Tracks how far a node has booted. Used in the event loop only. */
public final class Boot {
  private boolean over;
  private boolean asking;
  private Instant askedLast = Instant.EPOCH;
  private Instant since = Instant.EPOCH;

  /** Starts to wait for the report of the node, whose instance runs now. */
  public void begin(Instant now) {
    since = now;
  }

  /** Returns whether the node is ready or its setup has failed. */
  public boolean isOver() {
    return over;
  }

  void end() {
    over = true;
  }

  Instant since() {
    return since;
  }

  boolean isAsking() {
    return asking;
  }

  Instant askedLast() {
    return askedLast;
  }

  void ask(Instant now) {
    asking = true;
    askedLast = now;
  }

  void answered() {
    asking = false;
  }
}
