package io.elastune.planner;

/**
 * A limit that cannot be kept together with the others.
 *
 * @param by how much more would be needed: seconds for the deadline, dollars for the budget; above
 *     0
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
