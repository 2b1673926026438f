package io.elastune.executor.journal;

/**
 * A run was written by a version that this one does not understand, or would not have agreed with.
 */
public final class CannotResumeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CannotResumeException(String message) {
    super(message);
  }
}
