package io.elastune.executor.decision;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision;
import io.elastune.core.search.SearchEvent;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.TrialState;
import java.util.List;
import java.util.Map;

/** Applies the decisions of a search made of rungs that end trials, a phase or the search. */
final class RungOutcomes {
  /** Results without a metric, as a multiple of eta, after which the search stops. */
  private static final int UNUSABLE_PER_ETA = 2;

  private final Transition transition;
  private final RungRule rule;

  RungOutcomes(Transition transition, RungRule rule) {
    this.transition = transition;
    this.rule = rule;
  }

  void apply(SearchDecision decision, SearchEvent cause) {
    if (decision instanceof SearchDecision.Stop stopped) {
      stop(stopped.trial());
    } else if (decision instanceof SearchDecision.Complete completed) {
      end(completed.trial(), TrialState.Status.COMPLETED);
    } else if (decision instanceof SearchDecision.Closing) {
      close(cause);
    } else if (decision instanceof SearchDecision.Finished) {
      // A target or plateau: a metric was reported.
      finish(cause instanceof SearchEvent.End && !SearchTime.hasPassed(transition));
    }
  }

  private void stop(int number) {
    TrialState trial = transition.trial(number);
    transition.recordDecision(
        DecisionKind.STOP_TRIAL,
        DecisionReason.of(
            ReasonCode.TRIAL_NOT_PROMOTED,
            Integer.toString(number),
            Integer.toString(reachedUnit(trial))),
        RungTasks.withBracket(
            transition,
            number,
            trial.hasValue() ? Map.of("metric", trial.metric().orElse(Double.NaN)) : Map.of()));
    end(number, TrialState.Status.STOPPED);
    transition.attempts().stream()
        .filter(attempt -> attempt.trial() == number)
        .forEach(attempt -> discard(transition, attempt));
  }

  /** Stops the run if a limit has closed the search before its first trial could start. */
  private boolean stopsBeforeFirstTrial() {
    boolean hasStarted = transition.chain(RungChain.INDEX).rungs().orElseThrow().begun() > 0;
    boolean hasBudget =
        transition.budgetLeftUsd().isPresent() && !transition.definition.stopsAtBudget();
    boolean isLimited = // before the first result, only the end of its time closes it otherwise
        hasBudget && (rule.time().isEmpty() || !SearchTime.hasPassed(transition));
    if (hasStarted) {
      return false;
    }
    if (LimitWatchdog.closesAtDeadline(transition)) {
      transition.stop(
          RunOutcome.DEADLINE_MISSED, DecisionReason.of(ReasonCode.STOPPED_AT_DEADLINE), false);
      return true;
    }
    if (isLimited) {
      transition.stop(
          RunOutcome.BUDGET_REACHED,
          DecisionReason.of(ReasonCode.STOPPED_AT_BUDGET_BEFORE_GROUP, RungRule.name(0)),
          false);
    }
    return isLimited;
  }

  /** The unit of its last report, or of the last rung that it has reached. */
  private int reachedUnit(TrialState trial) {
    return transition.attempts().stream()
        .filter(attempt -> attempt.trial() == trial.trial())
        .mapToInt(AttemptState::lastUnit)
        .findFirst()
        .orElse(trial.unit());
  }

  private void end(int trial, TrialState.Status status) {
    end(transition, trial, status);
  }

  /** After the end of the search, discards what still runs and stops all other trials. */
  static void stopRest(Transition transition) {
    transition.attempts().forEach(attempt -> discard(transition, attempt));
    List.copyOf(transition.trials().keySet())
        .forEach(trial -> end(transition, trial, TrialState.Status.STOPPED));
  }

  private static void end(Transition transition, int trial, TrialState.Status status) {
    if (transition.trial(trial).status() != TrialState.Status.WAITING) {
      return;
    }
    transition.trial(trial, state -> state.as(status));
  }

  /** Ends an attempt whose result the search does not need. */
  static void discard(Transition transition, AttemptState attempt) {
    if (attempt.ending() == AttemptState.EndReason.DISCARDED) {
      return;
    }
    if (attempt.ending() == AttemptState.EndReason.INHERITED) {
      transition.command(attempt.adoptCommand());
    }
    transition.put(attempt.ending(AttemptState.EndReason.DISCARDED, transition.now));
    transition.command(new Command.KillAttempt(attempt.attempt()));
  }

  private static ReasonCode reason(SearchEvent cause) {
    if (cause instanceof SearchEvent.Close close) {
      return switch (close.reason()) {
        case BUDGET -> ReasonCode.BUDGET_TOO_LOW_FOR_TRIAL;
        case DEADLINE -> ReasonCode.DEADLINE_PASSED_FOR_TRIAL;
        case TIME -> ReasonCode.NO_TIME_FOR_TRIAL;
      };
    }
    return ReasonCode.ALL_TRIALS_STARTED;
  }

  private void close(SearchEvent cause) {
    RungState state = transition.chain(RungChain.INDEX).rungs().orElseThrow();
    close(transition, reason(cause), state.begun(), state.tasks().size());
  }

  /**
   * Begins the phase in which no new trial starts.
   *
   * @param trials trials that have started
   * @param running those of them that run
   */
  static void close(Transition transition, ReasonCode reason, int trials, int running) {
    TrialGroup closing = transition.chainDefinition(RungChain.INDEX).groups().get(1);
    transition.chain(
        RungChain.INDEX, transition.chain(RungChain.INDEX).inNextGroup(transition.now, true));
    Allocation allocation = transition.allocation(closing);
    transition.recordDecision(
        DecisionKind.CLOSE,
        DecisionReason.of(reason, allocation.offer()),
        Map.of(
            "trials", (double) trials,
            "running", (double) running,
            "instances", (double) allocation.instances(),
            "gpus_per_trial", (double) allocation.gpusPerTrial()));
  }

  /** Ends the search: what still runs is discarded, and all other trials are stopped. */
  void finish() {
    finish(false);
  }

  /**
   * Ends the search.
   *
   * @param isLate whether it ends, such as because its time has passed, with whatever it has
   *     reached
   */
  void finish(boolean isLate) {
    if (!transition.running()) {
      return; // a resumed run finishes
    }
    boolean anyReached =
        transition.trials().values().stream()
            .anyMatch(trial -> trial.unit() >= rule.target(0) || trial.hasValue());
    boolean anyValue = transition.trials().values().stream().anyMatch(TrialState::hasValue);
    if (anyReached && !anyValue && !isLate) {
      stopWithoutMetric(transition);
      return;
    }
    if (!anyReached && !isLate && stopsBeforeFirstTrial()) {
      return;
    }
    if (!anyReached && !isLate) {
      transition.stop(
          RunOutcome.TRIALS_FAILED,
          SearchTime.hasPassed(transition)
              ? DecisionReason.of(ReasonCode.NO_RESULT_IN_TIME)
              : DecisionReason.of(ReasonCode.NO_TRIAL_SUCCEEDED, RungRule.name(0)),
          false);
      return;
    }
    stopRest(transition);
    while (transition.group(RungChain.INDEX).isPresent()) {
      boolean more = transition.chain(RungChain.INDEX).group() == 0;
      transition.chain(
          RungChain.INDEX, transition.chain(RungChain.INDEX).inNextGroup(transition.now, more));
    }
  }

  /** Stops a search whose first trials have all reported no usable metric. */
  static void stopIfMetricIsUnusable(Transition transition, RungState state) {
    List<RungState.Entry> first = state.firstResults();
    boolean isUsable = first.stream().anyMatch(entry -> entry.result().isValid());
    stopIfMetricIsUnusable(transition, first.size(), isUsable);
  }

  /**
   * The same for a search with a number of results in its first rung.
   *
   * @param isUsable whether one of them has a usable metric
   */
  static void stopIfMetricIsUnusable(Transition transition, int results, boolean isUsable) {
    RungRule rule = transition.definition.workload().rungs().orElseThrow();
    boolean enough = results >= Math.min(rule.trials(), UNUSABLE_PER_ETA * rule.eta());
    boolean reached =
        transition.trials().values().stream().anyMatch(trial -> trial.unit() >= rule.target(0));
    if (enough && reached && !isUsable) {
      stopWithoutMetric(transition);
    }
  }

  private static void stopWithoutMetric(Transition transition) {
    List<TrialState> reached =
        transition.trials().values().stream()
            .filter(trial -> trial.unit() > 0 && trial.status() != TrialState.Status.FAILED)
            .toList();
    TrialGroup open = transition.chainDefinition(RungChain.INDEX).groups().get(0);
    transition.stop(
        RunOutcome.TRIALS_FAILED, UnusableMetric.reason(transition, open, reached), false);
  }
}
