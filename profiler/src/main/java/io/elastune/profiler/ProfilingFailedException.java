package io.elastune.profiler;

/** Thrown when a profiling run ends without a measurement. */
public final class ProfilingFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  public ProfilingFailedException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Returns the exit code of the profiling run. */
  public int exitCode() {
    return exitCode;
  }
}
