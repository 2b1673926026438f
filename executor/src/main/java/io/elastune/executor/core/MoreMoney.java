package io.elastune.executor.core;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Asks the user for a higher budget if no way to complete the run fits the budget. Until the user
 * grants it, the run stays within its budget, and stops when that is reached.
 */
final class MoreMoney {
  /**
   * The requested budget as a multiple of the predicted cost, as for the implied budget of a job
   * without one.
   */
  private static final double MARGIN = 1.25;

  private MoreMoney() {}

  /**
   * Asks, unless as much was requested before.
   *
   * @param neededUsd the lowest predicted total cost of the run in USD
   */
  static void ask(Draft draft, double neededUsd) {
    double budget = draft.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    Allowance allowance = draft.steering().allowance();
    if (neededUsd <= budget || allowance.open() || neededUsd <= allowance.askedUsd()) {
      return;
    }
    Ledger ledger = Ledger.of(draft.definition, draft.peek());
    // A run stops while its committed cost is still covered, so that is added.
    double asked = Math.ceil((MARGIN * neededUsd + ledger.committedUsd()) * 100) / 100;
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("needed_usd", neededUsd);
    numbers.put("budget_usd", budget);
    numbers.put("asked_usd", asked);
    numbers.put("spent_usd", ledger.spentUsd());
    numbers.put("committed_usd", ledger.committedUsd());
    draft.note(
        DecisionKind.OVER_BUDGET,
        String.format(
            Locale.ROOT,
            "the run needs about $%.2f in total, more than its budget of $%.2f; asking the user"
                + " to allow $%.2f",
            neededUsd,
            budget,
            asked),
        numbers);
    draft.steering(draft.steering().with(allowance.asking(asked)));
    draft.command(new Command.AskBudget(allowance.asked() + 1, neededUsd, budget, asked));
  }

  static void take(Draft draft, RunEvent.BudgetAnswered event) {
    Allowance allowance = draft.steering().allowance();
    if (!allowance.open() || event.number() != allowance.asked()) {
      return; // an outdated answer
    }
    double before = draft.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    draft.steering(draft.steering().with(allowance.answered(event.allowed())));
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("budget_usd", draft.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY));
    numbers.put("before_usd", before);
    if (event.allowed()) {
      draft.note(DecisionKind.BUDGET, event.who() + " increased the budget", numbers);
      draft.doubt("the budget was increased");
      return;
    }
    boolean goesOn = draft.definition.stopsAtBudget();
    draft.note(
        DecisionKind.BUDGET_KEPT,
        "budget not increased ("
            + event.who()
            + "): the run "
            + (goesOn
                ? "stops when its budget is reached"
                : "starts no group that exceeds its budget"),
        numbers);
    if (draft.running() && ClusterManager.isStranded(draft)) {
      draft.stop(RunOutcome.NO_CAPACITY, "no available offer fits the budget", false);
    }
  }
}
