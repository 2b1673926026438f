package io.elastune.executor.decision.model;

import java.util.List;

/**
 * The reason for a decision, or for the outcome of a run.
 *
 * @param details the values that its code names, in that order
 */
public record DecisionReason(Reason code, List<String> details) {
  /**
   * Creates a reason.
   *
   * @throws IllegalArgumentException if the number of details is wrong
   */
  public DecisionReason {
    details = List.copyOf(details);
    if (!allows(code, details.size())) {
      throw new IllegalArgumentException(code + " has " + details.size() + " details");
    }
  }

  public static DecisionReason of(Reason code, String... details) {
    return new DecisionReason(code, List.of(details));
  }

  private static boolean allows(Reason code, int count) {
    int more = count - code.details().size();
    int repeated = code.repeated().size();
    return repeated == 0 ? more == 0 : more >= 0 && more % repeated == 0;
  }
}
