package io.elastune.provisioner.remote;

import java.time.Instant;

/** How far a rented node is. Used in the loop only. */
public final class Boot {
  private boolean over;
  private boolean asking;
  private Instant askedLast = Instant.EPOCH;
  private Instant since = Instant.EPOCH;

  /** The machine runs: from now on its node's word is waited for. */
  public void begin(Instant now) {
    since = now;
  }

  /** Whether the node is ready, or its setup has failed. */
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
