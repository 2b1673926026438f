package io.elastune.executor.journal;

/**
 * The journal of a run was written by a version that this version cannot read, or would have
 * decided differently.
 */
public final class CannotResumeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CannotResumeException(String message) {
    super(message);
  }
}
