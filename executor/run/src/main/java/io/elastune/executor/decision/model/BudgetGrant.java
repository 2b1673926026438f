package io.elastune.executor.decision.model;

import java.util.OptionalDouble;

/**
 * The requests for a higher budget, and what the user has granted.
 *
 * @param asked number of requests so far, which is also the number of the last one
 * @param open whether the last request is unanswered
 * @param askedUsd USD requested in it; 0 before the first
 * @param allowedUsd budget in USD granted since, in place of the definition's; empty if none was
 *     granted
 */
public record BudgetGrant(int asked, boolean open, double askedUsd, OptionalDouble allowedUsd) {
  static final BudgetGrant NONE = new BudgetGrant(0, false, 0, OptionalDouble.empty());

  public BudgetGrant asking(double usd) {
    return new BudgetGrant(asked + 1, true, usd, allowedUsd);
  }

  public BudgetGrant answered(boolean allowed) {
    return new BudgetGrant(
        asked, false, askedUsd, allowed ? OptionalDouble.of(askedUsd) : allowedUsd);
  }

  /** Another controller continues; its definition includes what was granted. */
  BudgetGrant resumed() {
    return new BudgetGrant(asked, false, open ? 0 : askedUsd, OptionalDouble.empty());
  }
}
