package io.elastune.profiler;

import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.RunOutcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown when a profiling run ends without a measurement. */
public final class ProfilingFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final @Nullable RunOutcome outcome;
  private final transient @Nullable DecisionReason reason;

  private ProfilingFailedException(
      @Nullable RunOutcome outcome, @Nullable DecisionReason reason, String message) {
    super(message);
    this.outcome = outcome;
    this.reason = reason;
  }

  /** Returns the failure of a run that stopped for {@code reason}. */
  static ProfilingFailedException stopped(RunOutcome outcome, DecisionReason reason) {
    return new ProfilingFailedException(outcome, reason, "");
  }

  /** Returns the failure of a run without a reason of its own. */
  static ProfilingFailedException ended(RunOutcome outcome, String message) {
    return new ProfilingFailedException(outcome, null, message);
  }

  /** Returns the failure of a job that does not fit its program. */
  static ProfilingFailedException wrongJob(String message) {
    return new ProfilingFailedException(null, null, message);
  }

  /** The reason why the run stopped, instead of a message; empty if it did not stop. */
  public Optional<DecisionReason> reason() {
    return Optional.ofNullable(reason);
  }

  /** Returns how the profiling run ended; empty if the job is wrong. */
  public Optional<RunOutcome> outcome() {
    return Optional.ofNullable(outcome);
  }
}
