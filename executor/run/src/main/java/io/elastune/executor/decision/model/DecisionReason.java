package io.elastune.executor.decision.model;

import java.util.List;

/**
 * The reason for a decision, or for the outcome of a run.
 *
 * @param details the values that its code names, in that order
 */
public record DecisionReason(ReasonCode code, List<String> details) {
  /**
   * Creates a reason.
   *
   * @throws IllegalArgumentException if the number of details is wrong
   */
  public DecisionReason {
    details = List.copyOf(details);
    if (!code.allows(details.size())) {
      throw new IllegalArgumentException(code + " has " + details.size() + " details");
    }
  }

  public static DecisionReason of(ReasonCode code, String... details) {
    return new DecisionReason(code, List.of(details));
  }
}
