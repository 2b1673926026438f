package io.elastune.cli.failure;

import java.util.Arrays;

/** Every code that Elastune exits with ({@code design/cli.md}, "Exit codes"). */
public enum ExitCode {
  DONE(0, "done; every trial accounted for, no instance left"),
  BUG(1, "a bug, or a broken promise in a rehearsal"),
  USAGE(2, "usage or job file"),
  NOT_CONFIRMED(3, "not confirmed (also: no terminal and no -y)"),
  INFEASIBLE(10, "no plan meets deadline and budget"),
  BUDGET_REACHED(11, "stopped at the budget"),
  PLAN_STALE(12, "plan stale"),
  DEADLINE_MISSED(13, "deadline missed, all else done"),
  NO_CAPACITY(14, "capacity or quota not to be had"),
  NO_PERMISSION(15, "credentials or permission"),
  TRIALS_FAILED(16, "no trial of a group succeeded, or setup failed"),
  CLEANUP_UNCONFIRMED(20, "clean-up not confirmed: instances may still be billed"),
  INTERRUPTED(130, "interrupted, clean-up confirmed"),
  TERMINATED(143, "terminated, clean-up confirmed");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /**
   * The code with that number.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ExitCode of(int number) {
    return Arrays.stream(values())
        .filter(exit -> exit.code == number)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no exit code " + number));
  }

  /** The number. */
  public int code() {
    return code;
  }

  /** What it means, in a few words. */
  public String meaning() {
    return meaning;
  }
}
