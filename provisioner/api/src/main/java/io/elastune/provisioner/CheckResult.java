package io.elastune.provisioner;

/**
 * The result of one check of an account.
 *
 * @param check the name of the check
 * @param ok whether the check passed
 * @param detail what was found
 * @param remedy how to fix it; empty if the check passed
 * @param refusal the refusal that a run would get if the check failed
 */
public record CheckResult(
    String check, boolean ok, String detail, String remedy, RefusalReason refusal) {
  /** Returns the result of a check that passed. */
  public static CheckResult passed(String check, String detail) {
    return new CheckResult(check, true, detail, "", RefusalReason.INVALID);
  }

  /** Returns the result of a check that failed. */
  public static CheckResult failed(String check, String detail, String remedy, RefusalReason kind) {
    return new CheckResult(check, false, detail, remedy, kind);
  }
}
