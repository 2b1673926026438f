package io.elastune.planner.api;

/**
 * A limit that cannot be met together with the others.
 *
 * @param increase least increase that is needed: seconds for the deadline, dollars for the budget;
 *     where no plan meets either limit, of each regardless of the other; above 0
 */
public record LimitViolation(Limit limit, double increase) {
  /** The limits of a job. */
  public enum Limit {
    DEADLINE("deadline"),
    BUDGET("budget");

    private final String word;

    Limit(String word) {
      this.word = word;
    }

    /** The word used in JSON. */
    public String word() {
      return word;
    }
  }
}
