package io.elastune.executor.core;

import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.time.Seconds;
import java.util.Map;

/** Monitors hung trials, the budget and the deadline. */
final class Watch {
  private Watch() {}

  static void tick(Draft draft) {
    hung(draft);
    money(draft);
    deadline(draft);
  }

  private static void hung(Draft draft) {
    RunState state = draft.peek();
    for (AttemptState attempt : draft.attempts()) {
      double most =
          state.watchdogS(draft.definition, attempt.group()).orElse(Double.POSITIVE_INFINITY);
      double silence = Seconds.between(attempt.lastSign(), draft.now);
      if (attempt.goesOn() && silence > most) {
        draft.put(attempt.ending(attempt.orLost(AttemptState.Ending.HUNG), draft.now));
        draft.command(new Command.StopAttempt(attempt.attempt()));
        draft.note(
            DecisionKind.WATCHDOG,
            "trial " + attempt.trial() + " has not reported for " + Math.round(silence) + " s",
            Map.of("silence_s", silence, "most_s", most));
      }
    }
  }

  /** Warns at the warning level and stops before spent + committed reaches the budget. */
  static void money(Draft draft) {
    if (draft.budgetLeftUsd().isEmpty()) {
      return;
    }
    if (!draft.running()) {
      endOfGrace(draft);
      return;
    }
    Ledger ledger = Ledger.of(draft.definition, draft.peek());
    double spent = ledger.spentUsd();
    double committed = ledger.committedUsd();
    double left = draft.budgetLeftUsd().getAsDouble();
    double warnAt = draft.definition.budget().map(Budget::warnAt).orElse(1.0);
    Map<String, Double> numbers =
        Map.of("spent_usd", spent, "committed_usd", committed, "budget_usd", left);
    if (!draft.ending().budgetWarned() && spent + committed >= warnAt * left) {
      draft.ending(draft.ending().warned());
      draft.note(
          DecisionKind.WARNED, "spent and committed cost have reached the warning level", numbers);
    }
    if (draft.definition.stopsAtBudget() && spent + committed >= left) {
      draft.note(DecisionKind.BUDGET, "spent and committed cost would reach the budget", numbers);
      draft.stop(RunOutcome.BUDGET_REACHED, "stopped at the budget", false);
    }
  }

  /**
   * Whether the budget covers the minimum bill of {@code count} more instances of {@code offer} on
   * top of spent and committed cost; stops the run if not.
   */
  static boolean mayRequest(Draft draft, String offer, int count) {
    if (!draft.definition.stopsAtBudget() || draft.budgetLeftUsd().isEmpty()) {
      return true;
    }
    Ledger ledger = Ledger.of(draft.definition, draft.peek());
    double spent = ledger.spentUsd();
    double committed = ledger.committedUsd() + count * ledger.leastUsd(offer);
    double left = draft.budgetLeftUsd().getAsDouble();
    if (spent + committed < left) {
      return true;
    }
    draft.note(
        DecisionKind.BUDGET,
        "the budget does not cover " + count + " more x " + offer,
        Map.of("spent_usd", spent, "committed_usd", committed, "budget_usd", left));
    draft.stop(RunOutcome.BUDGET_REACHED, "stopped at the budget", false);
    return false;
  }

  /**
   * Ends trials that were stopped at the budget before the next tick could exceed it. Until then
   * they may write checkpoints.
   */
  private static void endOfGrace(Draft draft) {
    boolean atBudget =
        draft.phase() == RunState.Phase.STOPPING
            && draft.ending().outcome() == RunOutcome.BUDGET_REACHED;
    if (!atBudget || draft.attempts().isEmpty()) {
      return;
    }
    Ledger ledger = Ledger.of(draft.definition, draft.peek());
    double soon = ledger.spentUsd() + ledger.committedUsd(Ledger.LAST_SECONDS);
    double left = draft.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    if (soon >= left) {
      draft.note(
          DecisionKind.BUDGET,
          "the budget does not cover waiting for checkpoints",
          Map.of("budget_usd", left));
      draft.stop(RunOutcome.BUDGET_REACHED, "stopped at the budget", true);
      Closing.releaseNow(draft);
    }
  }

  private static void deadline(Draft draft) {
    if (draft.definition.deadlineS().isEmpty() || !draft.running()) {
      return;
    }
    double late =
        Seconds.between(draft.began(), draft.now) - draft.definition.deadlineS().getAsDouble();
    if (late > 0 && draft.definition.deadlineMiss() == Job.DeadlineMiss.STOP) {
      draft.note(DecisionKind.DEADLINE, "the deadline has passed", Map.of("late_s", late));
      draft.stop(RunOutcome.DEADLINE_MISSED, "stopped at the deadline", false);
    }
  }

  /** Whether {@code finish-group} allows {@code next} to start; stops the run if not. */
  static boolean mayStartGroup(Draft draft, TrialGroup next) {
    if (draft.definition.stopsAtBudget() || draft.budgetLeftUsd().isEmpty()) {
      return true;
    }
    double left = draft.budgetLeftUsd().getAsDouble();
    double forecast = Ledger.of(draft.definition, draft.peek()).forecastUsd();
    if (forecast <= left) {
      return true;
    }
    draft.note(
        DecisionKind.BUDGET,
        "group " + next.name() + " is not started: the forecast exceeds the budget",
        Map.of("forecast_usd", forecast, "budget_usd", left));
    draft.stop(
        RunOutcome.BUDGET_REACHED, "stopped at the budget before group " + next.name(), false);
    return false;
  }
}
