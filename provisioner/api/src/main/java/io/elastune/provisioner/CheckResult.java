package io.elastune.provisioner;

/**
 * The result of one check of an account.
 *
 * @param check the name of the check
 * @param outcome whether the check passed
 * @param detail what was found; for an unknown outcome, why nothing could be found
 * @param remedy how to fix it, or where to look it up; empty if the check passed
 * @param refusal the refusal that a run would get if the check failed
 */
public record CheckResult(
    String check, Outcome outcome, String detail, String remedy, RefusalReason refusal) {
  /** The outcome of a check. */
  public enum Outcome {
    OK,
    FAILED,
    /** The cloud does not report it, or only for an existing instance. */
    UNKNOWN
  }

  /** Returns the result of a check that passed. */
  public static CheckResult passed(String check, String detail) {
    return new CheckResult(check, Outcome.OK, detail, "", RefusalReason.INVALID);
  }

  /** Returns the result of a check that failed. */
  public static CheckResult failed(String check, String detail, String remedy, RefusalReason kind) {
    return new CheckResult(check, Outcome.FAILED, detail, remedy, kind);
  }

  /**
   * Returns the result of a check that could not be made.
   *
   * @param remedy where the user can look it up: a link or a command
   */
  public static CheckResult unknown(String check, String detail, String remedy) {
    return new CheckResult(check, Outcome.UNKNOWN, detail, remedy, RefusalReason.INVALID);
  }

  /** Returns whether the check passed. */
  public boolean ok() {
    return outcome == Outcome.OK;
  }
}
