package io.elastune.planner;

/**
 * A limit that cannot be kept together with the others.
 *
 * @param by how much more would be needed, at the least: seconds for the deadline, dollars for the
 *     budget; where no plan keeps either limit, of each whatever becomes of the other; above 0
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
