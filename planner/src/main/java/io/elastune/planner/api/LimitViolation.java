package io.elastune.planner.api;

import io.elastune.core.field.Word;

/**
 * A limit that cannot be met together with the others.
 *
 * @param increase least increase that is needed: seconds for the deadline, dollars for the budget;
 *     where no plan meets either limit, of each regardless of the other; above 0
 */
public record LimitViolation(Limit limit, double increase) {
  /** The limits of a job. */
  public enum Limit implements Word {
    DEADLINE,
    BUDGET
  }
}
