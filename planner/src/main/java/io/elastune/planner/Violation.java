package io.elastune.planner;

/**
 * A limit that cannot be met together with the others.
 *
 * @param by least increase that is needed: seconds for the deadline, dollars for the budget; where
 *     no plan meets either limit, of each regardless of the other; above 0
 */
public record Violation(Limit limit, double by) {
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
