package io.elastune.planner.evaluate;

/** The time limit was reached before one sample of the plan to report was complete. */
public final class NoSampleException extends RuntimeException {
  /** The cause and the remedy. */
  public static final String REASON =
      "the time limit was reached before one sample of a plan was complete; raise --time-limit, or"
          + " lower search.trials";

  private static final long serialVersionUID = 1;

  /** Creates the exception. */
  public NoSampleException() {
    super(REASON);
  }
}
