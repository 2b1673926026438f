package io.elastune.executor.decision;

import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Monitors the spending guard of a run without a budget (docs/decisions, 12). While the forecast
 * meets the deadline, the guard is increased and the user is notified. Otherwise the user is asked
 * before the guard stops the run.
 */
final class SpendingGuard {
  /** Fraction of the guard below which the forecast of the cost is not checked. */
  private static final double WATCHED_FRACTION = 0.5;

  /** Seconds before the guard would stop the run at which it acts, so that no node shuts down. */
  private static final double EARLY_S = 120;

  private SpendingGuard() {}

  /**
   * Increases the guard, or asks the user, if the run needs more than the guard allows.
   *
   * @param additionalUsd cost in USD that is about to be committed
   */
  static void check(Transition transition, double additionalUsd) {
    if (!transition.definition.hasSpendingGuard()
        || !transition.running()
        || !transition.steering().answers().areComplete()) {
      return;
    }
    RunState state = transition.snapshot();
    Ledger ledger = Ledger.of(transition.definition, state);
    double guard = transition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    double spent = ledger.spentUsd();
    if (spent + ledger.committedUsd(soonS(transition.definition)) + additionalUsd
        < WATCHED_FRACTION * guard) {
      return;
    }
    double needed = neededUsd(transition.definition, ledger) + additionalUsd;
    if (needed < guard) {
      return;
    }
    if (!canMeetDeadline(transition, ledger)) {
      BudgetIncrease.requestIfNeeded(transition, Math.max(needed, Math.nextUp(guard)));
      return;
    }
    double increased = Math.ceil(BudgetIncrease.MARGIN * needed * 100) / 100;
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("needed_usd", needed);
    numbers.put("before_usd", guard);
    numbers.put("budget_usd", increased);
    numbers.put("spent_usd", spent);
    transition.recordDecision(
        DecisionKind.GUARD, DecisionReason.of(ReasonCode.GUARD_INCREASED), numbers);
    transition.steering(
        transition.steering().with(transition.steering().allowance().increased(increased)));
  }

  private static double soonS(RunDefinition definition) {
    return definition.graceS() + EARLY_S;
  }

  /** Returns the total cost in USD that the run is expected to need, and soon needs at least. */
  private static double neededUsd(RunDefinition definition, Ledger ledger) {
    return Math.max(
        ledger.spentUsd() + ledger.committedUsd(soonS(definition)),
        ledger.forecastUsd() + ledger.committedUsd());
  }

  /** Whether the forecast meets the deadline, or the planner is still searching for a way. */
  private static boolean canMeetDeadline(Transition transition, Ledger ledger) {
    if (transition.definition.deadlineS().isEmpty()) {
      return false;
    }
    double elapsed = transition.elapsedS();
    double end = elapsed + ledger.remainingSeconds();
    double deadline = transition.definition.deadlineS().getAsDouble();
    return end <= deadline || (transition.steering().open() && elapsed <= deadline);
  }

  /**
   * Returns by how many USD the cost must grow before a check can have another result; infinite if
   * the passing of time alone does not change it.
   */
  static double distanceUsd(RunDefinition definition, RunState state, Ledger ledger) {
    if (!definition.hasSpendingGuard()) {
      return Double.POSITIVE_INFINITY;
    }
    double guard = state.budgetLeftUsd(definition).orElse(Double.POSITIVE_INFINITY);
    double watched =
        WATCHED_FRACTION * guard - ledger.spentUsd() - ledger.committedUsd(soonS(definition));
    if (watched > 0) {
      return watched;
    }
    double needed = neededUsd(definition, ledger);
    return needed < guard ? guard - needed : Double.POSITIVE_INFINITY;
  }
}
