package io.elastune.executor.decision;

import io.elastune.core.job.Metric;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces the value of the metric in a report by the best one of the trial so far, if {@code
 * search.metric.scope} says so: every comparison of trials then uses this value.
 */
final class BestMetric {
  private BestMetric() {}

  /** Returns the event as it counts, and keeps the report of the best value. */
  static EngineEvent of(Transition transition, AttemptState attempt, EngineEvent event) {
    Metric metric = transition.definition.metric();
    if (!metric.takesBest() || !(event instanceof EngineEvent.Reported reported)) {
      return event;
    }
    double value = reported.metrics().getOrDefault(metric.name(), Double.NaN);
    TrialState trial = transition.trial(attempt.trial());
    boolean isNew = reported.unit() > attempt.from() && reported.unit() <= attempt.to();
    if (isNew
        && Double.isFinite(value)
        && (trial.best().isEmpty() || metric.isBetter(value, trial.best().get().value()))) {
      TrialState.BestReport better = new TrialState.BestReport(reported.unit(), value);
      transition.trial(attempt.trial(), state -> state.withBest(better));
    }
    Optional<TrialState.BestReport> best = transition.trial(attempt.trial()).best();
    if (best.isEmpty()) {
      return event;
    }
    Map<String, Double> metrics = new HashMap<>(reported.metrics());
    metrics.put(metric.name(), best.get().value());
    return new EngineEvent.Reported(
        reported.attempt(), reported.unit(), metrics, reported.done(), reported.at());
  }
}
