package io.elastune.provisioner;

/**
 * What a check of an account has found.
 *
 * @param check what was looked at
 * @param ok whether it is as it must be
 * @param detail what was found
 * @param remedy what to do; empty if nothing is to be done
 * @param kind what a run would end with if it is not ok
 */
public record Finding(String check, boolean ok, String detail, String remedy, Refusal kind) {
  /** All is well. */
  public static Finding good(String check, String detail) {
    return new Finding(check, true, detail, "", Refusal.INVALID);
  }

  /** Something is wrong. */
  public static Finding bad(String check, String detail, String remedy, Refusal kind) {
    return new Finding(check, false, detail, remedy, kind);
  }
}
