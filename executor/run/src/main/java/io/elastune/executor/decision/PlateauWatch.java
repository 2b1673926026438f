package io.elastune.executor.decision;

import io.elastune.core.search.TrialResult;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.PatienceRule;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.SearchPlateau;
import io.elastune.executor.engine.EngineEvent;
import java.util.Map;

/** Ends a search whose best metric improves no more, as {@code search.stop.patience} says. */
final class PlateauWatch {
  private PlateauWatch() {}

  /**
   * Handles a report.
   *
   * @param attempt the attempt before the report
   */
  static void reported(Transition transition, AttemptState attempt, EngineEvent.Reported event) {
    Double metric = event.metrics().get(transition.definition.metric().name());
    boolean isNew = event.unit() > attempt.lastUnit() && event.unit() <= attempt.to();
    if (transition.definition.patience().isEmpty()
        || metric == null
        || !Double.isFinite(metric)
        || !isNew
        || !transition.running()) {
      return;
    }
    if (isImprovement(transition, metric)) {
      set(transition, SearchPlateau.improved(metric, attempt.trial(), transition.now));
    }
  }

  private static boolean isImprovement(Transition transition, double metric) {
    SearchPlateau plateau = transition.steering().plateau();
    if (plateau.metric().isEmpty()) {
      return true;
    }
    var goal = transition.definition.metric().goal();
    double gain =
        TrialResult.loss(plateau.metric().getAsDouble(), goal) - TrialResult.loss(metric, goal);
    return gain > transition.definition.patience().orElseThrow().minGain();
  }

  private static void set(Transition transition, SearchPlateau plateau) {
    transition.steering(transition.steering().with(plateau));
  }

  /** Another controller continues the run. */
  static void resumed(Transition transition) {
    if (transition.definition.patience().isPresent()) {
      set(transition, transition.steering().plateau().resumed(transition.now));
    }
  }

  /** Ends the search if it is time. */
  static void check(Transition transition) {
    PatienceRule rule = transition.definition.patience().orElse(null);
    SearchPlateau plateau = transition.steering().plateau();
    if (rule == null || !transition.running() || TargetMetric.hasEnded(transition)) {
      return;
    }
    if (rule.hasEnoughTrials(plateau)
        || rule.leftS(plateau, transition.now) < Transition.ROUNDING_S) {
      transition.recordDecision(
          DecisionKind.CLOSE,
          DecisionReason.of(ReasonCode.PLATEAU_REACHED),
          Map.of(
              "metric", plateau.metric().orElse(Double.NaN),
              "trials", (double) plateau.trials(),
              "seconds", Seconds.between(plateau.since(), transition.now),
              "min_gain", rule.minGain()));
      TargetMetric.endSearch(transition);
    }
  }
}
