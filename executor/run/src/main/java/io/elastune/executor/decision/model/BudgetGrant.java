package io.elastune.executor.decision.model;

import java.util.OptionalDouble;

/**
 * The requests for a higher budget, and what the user has granted.
 *
 * @param asked number of requests so far, which is also the number of the last one
 * @param open whether the last request is unanswered
 * @param isAwaited whether the run cannot continue without the answer, because no available offer
 *     fits its budget
 * @param askedUsd USD requested in it; 0 before the first
 * @param allowedUsd budget in USD granted since, or the spending guard after its last increase, in
 *     place of the definition's; empty if neither has changed
 */
public record BudgetGrant(
    int asked, boolean open, boolean isAwaited, double askedUsd, OptionalDouble allowedUsd) {
  static final BudgetGrant NONE = new BudgetGrant(0, false, false, 0, OptionalDouble.empty());

  public BudgetGrant asking(double usd) {
    return new BudgetGrant(asked + 1, true, false, usd, allowedUsd);
  }

  /** Returns the state in which the run waits for the answer. */
  public BudgetGrant awaited() {
    return new BudgetGrant(asked, open, true, askedUsd, allowedUsd);
  }

  public BudgetGrant answered(boolean allowed) {
    OptionalDouble granted = OptionalDouble.of(Math.max(askedUsd, allowedUsd.orElse(0)));
    return new BudgetGrant(asked, false, false, askedUsd, allowed ? granted : allowedUsd);
  }

  /** Returns the state after the run has increased its own spending guard. */
  public BudgetGrant increased(double usd) {
    return new BudgetGrant(asked, open, isAwaited, askedUsd, OptionalDouble.of(usd));
  }

  /**
   * Another controller continues. The definition of a resumed run includes what was granted for its
   * budget; a spending guard keeps its last value.
   */
  BudgetGrant resumed(boolean guarded) {
    return new BudgetGrant(
        asked, false, false, open ? 0 : askedUsd, guarded ? allowedUsd : OptionalDouble.empty());
  }
}
