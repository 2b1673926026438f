package io.elastune.executor.journal;

/** The journal cannot be opened, read or written: the disk is full, or the file is not ours. */
public final class JournalException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public JournalException(String message, Throwable cause) {
    super(message, cause);
  }
}
