package io.elastune.cli.runs;

import java.util.Locale;

/** Where a run stands. */
public enum Standing {
  /** A controller has it, and has not begun. */
  PLANNING,
  RUNNING,
  /** Checkpoints are being written, or instances released. */
  STOPPING,
  /** Came to its end by itself, be it good or bad. */
  FINISHED,
  /** Was stopped: by the user, at the budget, at the deadline. */
  STOPPED,
  /** Has not finished, and no controller is alive to go on. */
  CRASHED;

  /** As documents and screens call it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether nothing more happens. */
  public boolean over() {
    return this == FINISHED || this == STOPPED || this == CRASHED;
  }
}
