package io.elastune.executor.journal;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The journal cannot be opened, read or written, e.g. because the disk is full or the file is
 * corrupt.
 */
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

  /** The content of the journal is not what any version writes. */
  static JournalException corrupt(JacksonException e) {
    return new JournalException(
        "cannot read the content of the journal: " + e.getOriginalMessage(), e, true);
  }

  static JournalException corrupt(String what) {
    return new JournalException("cannot read the content of the journal: " + what, null, true);
  }

  /** Whether the content is corrupt. This does not stop a run. */
  public boolean isCorrupt() {
    return damage;
  }
}
