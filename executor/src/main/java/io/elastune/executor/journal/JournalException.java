package io.elastune.executor.journal;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** The journal cannot be opened, read or written: the disk is full, or the file is not ours. */
public final class JournalException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean damage;

  public JournalException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private JournalException(String message, @Nullable Throwable cause, boolean damage) {
    super(message, cause);
    this.damage = damage;
  }

  /** What it holds is not what any version has written. */
  static JournalException damaged(JacksonException e) {
    return new JournalException(
        "cannot read what the journal holds: " + e.getOriginalMessage(), e, true);
  }

  static JournalException damaged(String what) {
    return new JournalException("cannot read what the journal holds: " + what, null, true);
  }

  /** Whether what was written once has been spoilt since: no run is stopped by that. */
  public boolean isDamage() {
    return damage;
  }
}
