package io.elastune.executor.decision;

import io.elastune.core.job.Metric;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.engine.BestReport;
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
    Optional<BestReport> before = transition.trial(attempt.trial()).best();
    boolean isNew = reported.unit() > attempt.from() && reported.unit() <= attempt.to();
    Optional<BestReport> better =
        isNew
            ? BestReport.improving(before, metric, reported.unit(), reported.metrics())
            : Optional.empty();
    better.ifPresent(it -> transition.trial(attempt.trial(), state -> state.withBest(it)));
    Optional<BestReport> best = better.or(() -> before);
    if (best.isEmpty()) {
      return event;
    }
    Map<String, Double> metrics = new HashMap<>(reported.metrics());
    metrics.put(metric.name(), best.get().value());
    return new EngineEvent.Reported(
        reported.attempt(), reported.unit(), metrics, reported.done(), reported.at());
  }
}
