package io.elastune.executor.decision;

import io.elastune.executor.decision.model.BudgetGrant;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import java.util.LinkedHashMap;
import java.util.Map;

/** Applies the user's answer to the request for a higher budget. */
final class BudgetAnswer {
  private BudgetAnswer() {}

  static void apply(Transition transition, RunEvent.BudgetAnswered event) {
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
    if (transition.running() && ClusterManager.isStranded(transition) && budgetGrant.isAwaited()) {
      transition.stop(
          RunOutcome.NO_CAPACITY, DecisionReason.of(ReasonCode.NO_OFFER_IN_BUDGET), false);
    }
  }
}
