package io.elastune.executor.rehearsal;

/**
 * A promise that a rehearsed run broke (docs/reliability.md).
 *
 * @param count how often
 * @param what in a sentence
 */
public record Broken(Promise promise, int count, String what) {
  /** The promises, as {@code rehearse --json} names them. */
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

    /** The name in documents. */
    public String word() {
      return word;
    }
  }
}
