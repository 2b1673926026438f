package io.elastune.cli.failure;

import java.util.Arrays;

/** The exit codes of Elastune. They are a public contract and never change. */
public enum ExitCode {
  DONE(0, "done; every trial accounted for, no instance left"),
  INTERNAL_ERROR(1, "internal error (a bug), or a guarantee violated in a rehearsal"),
  USAGE(2, "invalid command line or job file"),
  NOT_CONFIRMED(
      3,
      "not confirmed by the user (also: no terminal and no -y), or another run of the job is in progress"),
  INFEASIBLE(10, "no plan meets the deadline and the budget"),
  BUDGET_REACHED(11, "stopped because the budget was reached"),
  PLAN_STALE(12, "saved plan is stale"),
  DEADLINE_MISSED(13, "deadline missed; everything else completed"),
  NO_CAPACITY(14, "no capacity or quota available"),
  NO_PERMISSION(15, "credentials or permissions missing"),
  TRIALS_FAILED(16, "no trial of a group succeeded, or setup failed"),
  CLEANUP_UNCONFIRMED(20, "cleanup not confirmed: instances may still be billed"),
  INTERRUPTED(130, "interrupted; cleanup confirmed"),
  TERMINATED(143, "terminated; cleanup confirmed");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /**
   * Returns the constant for an exit code.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ExitCode of(int number) {
    return Arrays.stream(values())
        .filter(exit -> exit.code == number)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no exit code " + number));
  }

  /** The exit code of the process. */
  public int code() {
    return code;
  }

  /** A short description for users. */
  public String meaning() {
    return meaning;
  }
}
