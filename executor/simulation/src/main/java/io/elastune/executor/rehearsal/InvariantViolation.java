package io.elastune.executor.rehearsal;

/**
 * An invariant that a rehearsed run violated (docs/reliability.md).
 *
 * @param invariant the invariant
 * @param count how many violations
 * @param description the violation in words
 */
public record InvariantViolation(Invariant invariant, int count, String description) {
  /** The invariants, as {@code rehearse --json} names them. */
  public enum Invariant {
    LEAKED("leaked"),
    LOST_TRIALS("lost_trials"),
    EXTRA_UNITS("extra_units"),
    DOUBLE_LEASES("double_leases"),
    OVER_BUDGET("over_budget"),
    WRONG_EXIT("wrong_exit");

    private final String word;

    Invariant(String word) {
      this.word = word;
    }

    /** Returns the name in JSON. */
    public String word() {
      return word;
    }
  }
}
