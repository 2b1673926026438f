package io.elastune.profiler;

/** A measuring run ended without anything measured. */
public final class MeasuringFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  public MeasuringFailedException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The code with which the measuring run ended. */
  public int exitCode() {
    return exitCode;
  }
}
