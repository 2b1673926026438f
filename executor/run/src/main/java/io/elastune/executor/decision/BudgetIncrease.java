package io.elastune.executor.decision;

import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.BudgetGrant;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Asks the user for a higher budget if no way to complete the run fits the budget. Until the user
 * grants it, the run stays within its budget, and stops when that is reached.
 */
final class BudgetIncrease {
  /** A budget or guard after an increase as a multiple of the cost that the run needs. */
  static final double MARGIN = 1.25;

  private BudgetIncrease() {}

  /**
   * Asks, unless as much was requested before.
   *
   * @param neededUsd the lowest predicted total cost of the run in USD
   */
  static void requestIfNeeded(Transition transition, double neededUsd) {
    double budget = transition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    BudgetGrant budgetGrant = transition.steering().allowance();
    if (neededUsd <= budget || budgetGrant.open() || neededUsd <= budgetGrant.askedUsd()) {
      return;
    }
    Ledger ledger = Ledger.of(transition.definition, transition.snapshot());
    // A run stops while its committed cost is still covered, so that is added.
    double asked = Math.ceil((MARGIN * neededUsd + ledger.committedUsd()) * 100) / 100;
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("needed_usd", neededUsd);
    numbers.put("budget_usd", budget);
    numbers.put("asked_usd", asked);
    numbers.put("spent_usd", ledger.spentUsd());
    numbers.put("committed_usd", ledger.committedUsd());
    transition.recordDecision(
        DecisionKind.OVER_BUDGET,
        DecisionReason.of(
            transition.definition.hasSpendingGuard()
                ? ReasonCode.GUARD_TOO_LOW
                : ReasonCode.BUDGET_TOO_LOW),
        numbers);
    transition.steering(transition.steering().with(budgetGrant.asking(asked)));
    transition.command(new Command.AskBudget(budgetGrant.asked() + 1, neededUsd, budget, asked));
  }
}
