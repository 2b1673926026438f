package io.elastune.executor.decision;

import io.elastune.core.billing.Billing;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.CapacityWait;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import java.time.Instant;
import java.util.Optional;

/**
 * Computes the next time at which the passing of time alone can change a decision. Ticks before it
 * can be skipped. The result may be too early, never too late.
 */
public final class NextTick {

  /** The interval while every tick may matter. */
  private static final double SOON_S = 1;

  private final RunDefinition definition;
  private final RunState state;
  private final Ledger ledger;
  private double nextS = Double.POSITIVE_INFINITY;

  private NextTick(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
    this.ledger = Ledger.of(definition, state);
  }

  /**
   * Returns the first time after {@code state.now()} at which a tick may matter; empty for never.
   */
  public static Optional<Instant> next(RunDefinition definition, RunState state) {
    NextTick nextTick = new NextTick(definition, state);
    nextTick.look();
    return Double.isInfinite(nextTick.nextS)
        ? Optional.empty()
        : Optional.of(Seconds.after(state.now(), Math.max(0, nextTick.nextS)));
  }

  private void look() {
    switch (state.phase()) {
      case RUNNING -> {
        reminders();
        silence();
        capacity();
        in(state.steering().answers().areComplete() ? Double.POSITIVE_INFINITY : SOON_S);
        in(LeaseLosses.burstEndsS(state));
        money();
        deadline();
        ahead();
        patience();
      }
      case STOPPING -> {
        boolean atBudget = state.ending().outcome() == RunOutcome.BUDGET_REACHED;
        in(atBudget ? SOON_S : Double.POSITIVE_INFINITY);
        reminders();
        silence();
      }
      case RELEASING, VERIFYING -> in(SOON_S);
      case FINISHED -> {}
    }
  }

  private void in(double seconds) {
    nextS = Math.min(nextS, seconds);
  }

  private void reminders() {
    for (LeaseState lease : state.leases().values()) {
      in(RetryTimer.nextS(definition, lease, state.now()));
    }
    for (AttemptState attempt : state.attempts().values()) {
      in(RetryTimer.nextS(definition, attempt, state.now()));
    }
  }

  private void silence() {
    for (AttemptState attempt : state.attempts().values()) {
      in(HangWatchdog.nextS(definition, state, attempt));
    }
  }

  private void capacity() {
    for (CapacityWait wait : state.steering().market().waits().values()) {
      wait.retryAt().ifPresent(at -> in(Seconds.between(state.now(), at)));
    }
  }

  /** The earliest time at which cost can reach a limit, with every open lease at its full price. */
  private void money() {
    if (state.budgetLeftUsd(definition).isEmpty()) {
      return;
    }
    double usdPerHour = definition.running().usd(Billing.SECONDS_PER_HOUR);
    double granules = 0;
    for (LeaseState lease : state.leases().values()) {
      if (lease.terminatedAt().isEmpty()) {
        Offer offer = definition.offer(lease.offer());
        usdPerHour += offer.usdPerHour() + offer.diskUsdPerHour();
        granules += offer.billing().granularityS() * offer.usdPerHour() / Billing.SECONDS_PER_HOUR;
      }
    }
    double left = state.budgetLeftUsd(definition).getAsDouble();
    double warnAt = definition.budget().map(Budget::warnAt).orElse(1.0);
    double limit = state.ending().budgetWarned() ? left : Math.min(left, warnAt * left);
    double toLimit = limit - ledger.spentUsd() - ledger.committedUsd();
    double away =
        Math.min(toLimit, SpendingGuard.distanceUsd(definition, state, ledger)) - granules;
    if (usdPerHour > 0) {
      in(Math.max(SOON_S, away / usdPerHour * Billing.SECONDS_PER_HOUR));
    }
  }

  /** Without an event, a forecast moves by at most one second per second. */
  private void ahead() {
    if (definition.planning().isEmpty()
        || definition.deadlineS().isEmpty()
        || definition.endsAtDeadline()
        || state.began().isEmpty()) {
      return;
    }
    double deadline = definition.deadlineS().getAsDouble();
    double forecast = state.elapsedS() + ledger.remainingSeconds();
    double worse = state.steering().basis().completionS() + ReplanTrigger.WORSE_FRACTION * deadline;
    double next = state.steering().atRisk() ? Math.max(deadline, worse) : deadline;
    in(Math.max(SOON_S, next - forecast));
  }

  private void patience() {
    definition
        .patience()
        .ifPresent(rule -> in(rule.leftS(state.steering().plateau(), state.now())));
  }

  private void deadline() {
    if (definition.deadlineS().isPresent()
        && (definition.deadlineMiss() != Job.DeadlineMiss.FINISH
            || definition.hyperSched().isPresent())
        && state.began().isPresent()) {
      in(definition.deadlineS().getAsDouble() - state.elapsedS());
    }
    if (definition.searchStopS().isPresent() && state.began().isPresent()) {
      in(definition.searchStopS().getAsDouble() - state.elapsedS());
    }
  }
}
