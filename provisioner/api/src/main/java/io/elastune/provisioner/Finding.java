package io.elastune.provisioner;

/**
 * The result of one check of an account.
 *
 * @param check the name of the check
 * @param ok whether the check passed
 * @param detail what was found
 * @param remedy how to fix it; empty if the check passed
 * @param kind the refusal that a run would get if the check failed
 */
public record Finding(String check, boolean ok, String detail, String remedy, Refusal kind) {
  /** Returns the result of a check that passed. */
  public static Finding good(String check, String detail) {
    return new Finding(check, true, detail, "", Refusal.INVALID);
  }

  /** Returns the result of a check that failed. */
  public static Finding bad(String check, String detail, String remedy, Refusal kind) {
    return new Finding(check, false, detail, remedy, kind);
  }
}
