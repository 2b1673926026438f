package io.elastune.profiler.history;

/** The history cannot be read or written. It never harms a run, which has its own journal. */
public final class HistoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean damaged;

  /** Creates the exception with the message for the user. */
  public HistoryException(String message, boolean damaged, Throwable cause) {
    super(message, cause);
    this.damaged = damaged;
  }

  /** Returns whether the file is not a valid history, so that it must be computed again. */
  public boolean isDamaged() {
    return damaged;
  }
}
