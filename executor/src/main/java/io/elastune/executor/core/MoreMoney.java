package io.elastune.executor.core;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Asks the user for more money where nothing that is left to do fits the budget. Until somebody
 * allows it, the run goes on within its budget, and stops where that is reached.
 */
final class MoreMoney {
  /** So many times what is predicted is asked for, as for a budget that nobody has given. */
  private static final double MARGIN = 1.25;

  private MoreMoney() {}

  /**
   * Asks, unless as much has been asked for before.
   *
   * @param neededUsd the least that the run as a whole is predicted to cost
   */
  static void ask(Draft draft, double neededUsd) {
    double budget = draft.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    Allowance allowance = draft.steering().allowance();
    if (neededUsd <= budget || allowance.open() || neededUsd <= allowance.askedUsd()) {
      return;
    }
    Ledger ledger = Ledger.of(draft.definition, draft.peek());
    // A run stops while what it has committed can still be paid: that comes on top.
    double asked = Math.ceil((MARGIN * neededUsd + ledger.committedUsd()) * 100) / 100;
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("needed_usd", neededUsd);
    numbers.put("budget_usd", budget);
    numbers.put("asked_usd", asked);
    numbers.put("spent_usd", ledger.spentUsd());
    numbers.put("committed_usd", ledger.committedUsd());
    draft.note(
        "over_budget",
        String.format(
            Locale.ROOT,
            "the run needs about $%.2f in all, more than its budget of $%.2f: the user is asked"
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
      return; // to a question that nobody asks any more
    }
    double before = draft.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    draft.steering(draft.steering().with(allowance.answered(event.allowed())));
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("budget_usd", draft.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY));
    numbers.put("before_usd", before);
    if (event.allowed()) {
      draft.note("budget", event.who() + " has allowed more", numbers);
      draft.doubt("more money is allowed");
      return;
    }
    boolean goesOn = draft.definition.stopsAtBudget();
    draft.note(
        "budget",
        "no more is allowed ("
            + event.who()
            + "): the run "
            + (goesOn ? "stops where its budget is reached" : "starts no group beyond its budget")
            + "; with more it goes on from there: elastune resume "
            + draft.definition.run()
            + " --budget USD",
        numbers);
    if (draft.running() && ClusterManager.isStranded(draft)) {
      draft.stop(14, "no offer is to be had with which the budget suffices", false);
    }
  }
}
