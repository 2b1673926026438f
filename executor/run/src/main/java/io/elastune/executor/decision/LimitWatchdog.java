package io.elastune.executor.decision;

import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import java.util.Map;

/** Monitors the budget and the deadline. */
final class LimitWatchdog {
  private LimitWatchdog() {}

  static void tick(Transition transition) {
    HangWatchdog.tick(transition);
    checkBudget(transition);
    deadline(transition);
  }

  /** Warns at the warning level and stops before spent + committed reaches the budget. */
  static void checkBudget(Transition transition) {
    if (transition.budgetLeftUsd().isEmpty()) {
      return;
    }
    if (!transition.running()) {
      endOfGrace(transition);
      return;
    }
    if (transition.hasEndedAllGroups()) {
      return;
    }
    SpendingGuard.check(transition, 0);
    Ledger ledger = Ledger.of(transition.definition, transition.snapshot());
    double spent = ledger.spentUsd();
    double committed = ledger.committedUsd();
    double answered = ledger.answeredUsd();
    double left = transition.budgetLeftUsd().getAsDouble();
    double warnAt = transition.definition.budget().map(Budget::warnAt).orElse(1.0);
    Map<String, Double> numbers =
        Map.of("spent_usd", spent, "committed_usd", committed, "budget_usd", left);
    if (!transition.ending().budgetWarned() && answered >= warnAt * left) {
      transition.ending(transition.ending().warned());
      transition.recordDecision(
          DecisionKind.WARNED, DecisionReason.of(ReasonCode.WARNING_LEVEL_REACHED), numbers);
    }
    if (transition.definition.stopsAtBudget() && answered >= left) {
      boolean guard = transition.definition.hasSpendingGuard();
      transition.recordDecision(
          DecisionKind.BUDGET,
          DecisionReason.of(
              guard ? ReasonCode.GUARD_WOULD_BE_REACHED : ReasonCode.BUDGET_WOULD_BE_REACHED),
          numbers);
      transition.stop(RunOutcome.BUDGET_REACHED, stopped(transition), false);
    }
  }

  private static DecisionReason stopped(Transition transition) {
    return DecisionReason.of(
        transition.definition.hasSpendingGuard()
            ? ReasonCode.STOPPED_AT_GUARD
            : ReasonCode.STOPPED_AT_BUDGET);
  }

  /**
   * Whether the budget covers the minimum bill of {@code count} more instances of {@code offer} on
   * top of spent and committed cost; stops the run if not, unless the cloud has yet to report what
   * leases of an earlier controller cost. {@link Recovery} requests again when it has.
   */
  static boolean budgetAllowsRequest(Transition transition, String offer, int count) {
    if (!transition.definition.stopsAtBudget() || transition.budgetLeftUsd().isEmpty()) {
      return true;
    }
    RunState state = transition.snapshot();
    Ledger ledger = Ledger.of(transition.definition, state);
    SpendingGuard.check(transition, count * ledger.leastUsd(offer));
    double spent = ledger.spentUsd();
    boolean isAnswered = state.steering().answers().areComplete();
    double committed =
        (isAnswered ? ledger.committedUsd() : ledger.unansweredUsd())
            + count * ledger.leastUsd(offer);
    double left = transition.budgetLeftUsd().getAsDouble();
    if (spent + committed < left) {
      return true;
    }
    if (!isAnswered) {
      transition.steering(transition.steering().with(transition.steering().answers().deferred()));
      return false;
    }
    transition.recordDecision(
        DecisionKind.BUDGET,
        DecisionReason.of(ReasonCode.BUDGET_TOO_LOW_FOR_REQUEST, Integer.toString(count), offer),
        Map.of("spent_usd", spent, "committed_usd", committed, "budget_usd", left));
    transition.stop(RunOutcome.BUDGET_REACHED, stopped(transition), false);
    return false;
  }

  /**
   * Ends trials that were stopped at the budget before the next tick could exceed it. Until then
   * they may write checkpoints.
   */
  private static void endOfGrace(Transition transition) {
    boolean atBudget =
        transition.phase() == RunState.Phase.STOPPING
            && transition.ending().outcome() == RunOutcome.BUDGET_REACHED;
    if (!atBudget || transition.attempts().isEmpty()) {
      return;
    }
    Ledger ledger = Ledger.of(transition.definition, transition.snapshot());
    double soon = ledger.spentUsd() + ledger.committedUsd(Ledger.LAST_SECONDS);
    double left = transition.budgetLeftUsd().orElse(Double.POSITIVE_INFINITY);
    if (soon >= left) {
      transition.recordDecision(
          DecisionKind.BUDGET,
          DecisionReason.of(ReasonCode.BUDGET_TOO_LOW_FOR_CHECKPOINTS),
          Map.of("budget_usd", left));
      transition.stop(RunOutcome.BUDGET_REACHED, stopped(transition), true);
      Shutdown.releaseNow(transition);
    }
  }

  private static void deadline(Transition transition) {
    if (transition.definition.deadlineS().isEmpty()
        || !transition.running()
        || transition.hasEndedAllGroups()) {
      return; // a run that is resumed after its last group only confirms its cleanup
    }
    double late = -transition.deadlineLeftS();
    if (late > 0
        && !transition.definition.endsAtDeadline()
        && transition.definition.deadlineMiss() == Job.DeadlineMiss.STOP) {
      transition.recordDecision(
          DecisionKind.DEADLINE,
          DecisionReason.of(ReasonCode.DEADLINE_PASSED),
          Map.of("late_s", late));
      transition.stop(
          RunOutcome.DEADLINE_MISSED, DecisionReason.of(ReasonCode.STOPPED_AT_DEADLINE), false);
    }
  }

  /** Whether no new trial starts because the deadline has passed. */
  static boolean closesAtDeadline(Transition transition) {
    return transition.definition.deadlineMiss() == Job.DeadlineMiss.CLOSE
        && transition.deadlineLeftS() < 0;
  }

  /** Whether the forecast is within the budget, if {@code finish-group} limits what starts. */
  static boolean isForecastInBudget(Transition transition) {
    return transition.definition.stopsAtBudget()
        || transition.budgetLeftUsd().isEmpty()
        || Ledger.of(transition.definition, transition.snapshot()).forecastUsd()
            <= transition.budgetLeftUsd().getAsDouble();
  }

  /** Whether {@code finish-group} allows {@code next} to start; stops the run if not. */
  static boolean budgetAllowsGroup(Transition transition, TrialGroup next) {
    if (transition.definition.stopsAtBudget() || transition.budgetLeftUsd().isEmpty()) {
      return true;
    }
    double left = transition.budgetLeftUsd().getAsDouble();
    double forecast = Ledger.of(transition.definition, transition.snapshot()).forecastUsd();
    if (forecast <= left) {
      return true;
    }
    transition.recordDecision(
        DecisionKind.BUDGET,
        DecisionReason.of(ReasonCode.BUDGET_TOO_LOW_FOR_GROUP, next.name()),
        Map.of("forecast_usd", forecast, "budget_usd", left));
    transition.stop(
        RunOutcome.BUDGET_REACHED,
        DecisionReason.of(ReasonCode.STOPPED_AT_BUDGET_BEFORE_GROUP, next.name()),
        false);
    return false;
  }
}
