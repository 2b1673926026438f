package io.elastune.cli.inspect;

import java.util.Locale;

/** The state of a run as shown to users. */
public enum RunStateLabel {
  /** A controller holds the run and has not started it. */
  PLANNING,
  RUNNING,
  /** Checkpoints are being written, or instances released. */
  STOPPING,
  /** Ended by itself, successfully or not. */
  FINISHED,
  /** Stopped by the user, by the budget or by the deadline. */
  STOPPED,
  /** Has not finished, and its controller has stopped. */
  CRASHED;

  /** Returns the name in documents and on screens. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether the run has ended. */
  public boolean isOver() {
    return this == FINISHED || this == STOPPED || this == CRASHED;
  }
}
