package io.elastune.profiler;

import io.elastune.executor.decision.model.DecisionReason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown when a profiling run ends without a measurement. */
public final class ProfilingFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;
  private final transient @Nullable DecisionReason reason;

  /** Creates the failure of a run without a reason of its own. */
  public ProfilingFailedException(int exitCode, String message) {
    this(exitCode, null, message);
  }

  private ProfilingFailedException(int exitCode, @Nullable DecisionReason reason, String message) {
    super(message);
    this.exitCode = exitCode;
    this.reason = reason;
  }

  /** Returns the failure of a run that stopped for {@code reason}. */
  static ProfilingFailedException stopped(int exitCode, DecisionReason reason) {
    return new ProfilingFailedException(exitCode, reason, "");
  }

  /** The reason why the run stopped, instead of a message; empty if it did not stop. */
  public Optional<DecisionReason> reason() {
    return Optional.ofNullable(reason);
  }

  /** Returns the exit code of the profiling run. */
  public int exitCode() {
    return exitCode;
  }
}
