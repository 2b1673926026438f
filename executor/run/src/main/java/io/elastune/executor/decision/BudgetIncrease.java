package io.elastune.executor.decision;

import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.BudgetGrant;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Asks the user for a higher budget if no way to complete the run fits the budget. Until the user
 * grants it, the run stays within its budget, and stops when that is reached.
 */
final class BudgetIncrease {
  /**
   * The requested budget as a multiple of the predicted cost, as for the implied budget of a job
   * without one.
   */
  private static final double MARGIN = 1.25;

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
        DecisionKind.OVER_BUDGET, DecisionReason.of(ReasonCode.BUDGET_TOO_LOW), numbers);
    transition.steering(transition.steering().with(budgetGrant.asking(asked)));
    transition.command(new Command.AskBudget(budgetGrant.asked() + 1, neededUsd, budget, asked));
  }

  static void applyAnswer(Transition transition, RunEvent.BudgetAnswered event) {
    BudgetGrant budgetGrant = transition.steering().allowance();
    if (!budgetGrant.open() || event.number() != budgetGrant.asked()) {
      return; // an outdated answer
    }
    double before = transition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    transition.steering(transition.steering().with(budgetGrant.answered(event.allowed())));
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("budget_usd", transition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY));
    numbers.put("before_usd", before);
    if (event.allowed()) {
      transition.recordDecision(
          DecisionKind.BUDGET,
          DecisionReason.of(ReasonCode.BUDGET_INCREASED, event.who()),
          numbers);
      transition.doubt(ReplanReason.of(ReplanReason.Cause.BUDGET_INCREASED));
      return;
    }
    boolean stops = transition.definition.stopsAtBudget();
    transition.recordDecision(
        DecisionKind.BUDGET_NOT_INCREASED,
        DecisionReason.of(
            stops ? ReasonCode.BUDGET_KEPT_RUN_STOPS : ReasonCode.BUDGET_KEPT_GROUPS_LIMITED,
            event.who()),
        numbers);
    if (transition.running() && ClusterManager.isStranded(transition)) {
      transition.stop(
          RunOutcome.NO_CAPACITY, DecisionReason.of(ReasonCode.NO_OFFER_IN_BUDGET), false);
    }
  }
}
