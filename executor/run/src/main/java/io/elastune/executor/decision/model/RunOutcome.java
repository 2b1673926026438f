package io.elastune.executor.decision.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How a run ended, or is going to end: with which exit code of the command, and what it means for
 * users. Exit codes are a public contract and never change.
 */
public enum RunOutcome implements Reason {
  /** Every trial is accounted for and no instance is left. */
  COMPLETED(0, Kind.COMPLETE, 2, "done; every trial accounted for, no instance left"),
  /** The run stopped because its budget was reached. */
  BUDGET_REACHED(11, Kind.STOPPED, 1, "stopped because the budget was reached"),
  /** The deadline was missed; everything else completed, unless the job stops at its deadline. */
  DEADLINE_MISSED(13, Kind.COMPLETE, 3, "deadline missed; everything else completed"),
  /** The run stopped because no capacity or quota was available. */
  NO_CAPACITY(14, Kind.FAILED, 2, "no capacity or quota available"),
  /** The run stopped because credentials or permissions are missing. */
  NO_PERMISSION(15, Kind.FAILED, 2, "credentials or permissions missing"),
  /** No trial of a group succeeded, or no node became ready. */
  TRIALS_FAILED(16, Kind.FAILED, 2, "no trial of a group succeeded, or no node became ready"),
  /** The run stopped because its journal was removed or could not be written. */
  JOURNAL_LOST(18, Kind.STOPPED, 2, "stopped because its journal was lost; cleanup confirmed"),
  /** The cloud did not confirm that every instance is terminated. */
  CLEANUP_UNCONFIRMED(20, Kind.FAILED, 0, "cleanup not confirmed: instances may still be billed"),
  /** The user stopped the run. */
  INTERRUPTED(130, Kind.STOPPED, 2, "interrupted; cleanup confirmed"),
  /** A signal, or the loss of another resource of the controller, stopped the run. */
  TERMINATED(143, Kind.STOPPED, 2, "terminated; cleanup confirmed");

  /** The exit code of a lost journal before the first release, which journals may contain. */
  private static final int EARLIER_JOURNAL_LOST = 17;

  private enum Kind {
    /** All groups ran to their end. */
    COMPLETE,
    /** Stopped on purpose, by the user or at a limit. */
    STOPPED,
    FAILED
  }

  private final int exitCode;
  private final Kind kind;
  private final int rank;
  private final String meaning;

  RunOutcome(int exitCode, Kind kind, int rank, String meaning) {
    this.exitCode = exitCode;
    this.kind = kind;
    this.rank = rank;
    this.meaning = meaning;
  }

  /**
   * Returns the outcome with that exit code.
   *
   * @throws IllegalArgumentException if no run ends with it
   */
  public static RunOutcome ofExitCode(int exitCode) {
    if (exitCode == EARLIER_JOURNAL_LOST) {
      return JOURNAL_LOST;
    }
    return Arrays.stream(values())
        .filter(outcome -> outcome.exitCode == exitCode)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no run ends with exit code " + exitCode));
  }

  /** The exit code of the command that executed the run. */
  public int exitCode() {
    return exitCode;
  }

  /** A short description for users. */
  public String meaning() {
    return meaning;
  }

  /** Whether this outcome replaces {@code earlier}: 20 wins over 11, 11 over 16, 16 over 13. */
  boolean overrides(RunOutcome earlier) {
    return earlier == COMPLETED || rank < earlier.rank;
  }

  /** Whether all groups ran to their end. */
  public boolean isComplete() {
    return kind == Kind.COMPLETE;
  }

  /** Whether the run stopped before its end on purpose, by the user or at its budget. */
  public boolean isStopped() {
    return kind == Kind.STOPPED;
  }

  @Override
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public List<String> details() {
    return List.of();
  }

  @Override
  public List<String> repeated() {
    return List.of();
  }
}
