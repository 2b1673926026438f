package io.elastune.executor.decision.model;

import java.util.Arrays;

/** How a run ended, or is going to end, with the exit code of the command line. */
public enum RunOutcome {
  /** Every trial is accounted for and no instance is left. */
  COMPLETED(0, 2),
  /** The run stopped because its budget was reached. */
  BUDGET_REACHED(11, 1),
  /** The deadline was missed; everything else completed, unless the job stops at its deadline. */
  DEADLINE_MISSED(13, 3),
  /** The run stopped because no capacity or quota was available. */
  NO_CAPACITY(14, 2),
  /** The run stopped because credentials or permissions are missing. */
  NO_PERMISSION(15, 2),
  /** No trial of a group succeeded, or the setup of an instance failed. */
  TRIALS_FAILED(16, 2),
  /** The cloud did not confirm that every instance is terminated. */
  CLEANUP_UNCONFIRMED(20, 0),
  /** The user stopped the run. */
  INTERRUPTED(130, 2),
  /** A signal, or the loss of a resource of the controller, stopped the run. */
  TERMINATED(143, 2);

  private final int exitCode;
  private final int rank;

  RunOutcome(int exitCode, int rank) {
    this.exitCode = exitCode;
    this.rank = rank;
  }

  /**
   * Returns the outcome with that exit code.
   *
   * @throws IllegalArgumentException if no run ends with it
   */
  public static RunOutcome ofExitCode(int exitCode) {
    return Arrays.stream(values())
        .filter(outcome -> outcome.exitCode == exitCode)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no run ends with exit code " + exitCode));
  }

  /** The exit code of the command that executed the run. */
  public int exitCode() {
    return exitCode;
  }

  /** Whether this outcome replaces {@code earlier}: 20 wins over 11, 11 over 16, 16 over 13. */
  boolean overrides(RunOutcome earlier) {
    return earlier == COMPLETED || rank < earlier.rank;
  }

  /** Whether all groups ran to their end. */
  public boolean isComplete() {
    return this == COMPLETED || this == DEADLINE_MISSED;
  }
}
