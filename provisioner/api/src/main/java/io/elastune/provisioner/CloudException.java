package io.elastune.provisioner;

/** Thrown by calls to a cloud that wait for their answer. */
public final class CloudException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient CloudFailure failure;

  /** With what went wrong. */
  public CloudException(CloudFailure failure) {
    super(failure.message());
    this.failure = failure;
  }

  /** The same with the exception that told. */
  public CloudException(CloudFailure failure, Throwable cause) {
    super(failure.message(), cause);
    this.failure = failure;
  }

  /** What went wrong. */
  public CloudFailure failure() {
    return failure;
  }
}
