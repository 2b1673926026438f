package io.elastune.provisioner;

/** Reports the failure of a blocking call to a cloud. */
public final class CloudException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient CloudFailure failure;

  /** Creates an exception for a failure. */
  public CloudException(CloudFailure failure) {
    super(failure.message());
    this.failure = failure;
  }

  /** Creates an exception for a failure that another exception caused. */
  public CloudException(CloudFailure failure, Throwable cause) {
    super(failure.message(), cause);
    this.failure = failure;
  }

  /** Returns the failure. */
  public CloudFailure failure() {
    return failure;
  }
}
