package io.elastune.executor.ray;

/** A checkpoint that cannot be stored or used. */
final class UnusableCheckpointException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnusableCheckpointException(String message) {
    super(message);
  }
}
