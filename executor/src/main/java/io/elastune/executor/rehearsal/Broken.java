package io.elastune.executor.rehearsal;

/**
 * An invariant that a rehearsed run violated (docs/reliability.md).
 *
 * @param promise the invariant
 * @param count how many violations
 * @param what the violation in words
 */
public record Broken(Promise promise, int count, String what) {
  /** The invariants, as {@code rehearse --json} names them. */
  public enum Promise {
    LEAKED("leaked"),
    LOST_TRIALS("lost_trials"),
    EXTRA_UNITS("extra_units"),
    DOUBLE_LEASES("double_leases"),
    OVER_BUDGET("over_budget"),
    WRONG_EXIT("wrong_exit");

    private final String word;

    Promise(String word) {
      this.word = word;
    }

    /** Returns the name in JSON. */
    public String word() {
      return word;
    }
  }
}
