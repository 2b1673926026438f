package io.elastune.executor.decision;

import io.elastune.core.search.TrialResult;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineEvent;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Ends a search when a trial reports the metric of {@code search.stop.target}, or a better one. */
final class TargetMetric {
  private TargetMetric() {}

  /**
   * Handles a report.
   *
   * @param attempt the attempt before the report
   */
  static void reported(Transition transition, AttemptState attempt, EngineEvent.Reported event) {
    Double metric = event.metrics().get(transition.definition.metric().name());
    boolean isNew = event.unit() > attempt.lastUnit() && event.unit() <= attempt.to();
    if (metric == null || !isNew || !attempt.isActive() || !transition.running()) {
      return;
    }
    if (reaches(transition.definition, metric)) {
      end(transition, attempt.trial(), event.unit(), metric);
    }
  }

  private static boolean reaches(RunDefinition definition, double metric) {
    if (definition.workload().target().isEmpty()) {
      return false;
    }
    double target = definition.workload().target().getAsDouble();
    return TrialResult.loss(metric, definition.metric().goal())
        <= TrialResult.loss(target, definition.metric().goal());
  }

  private static void end(Transition transition, int trial, int unit, double metric) {
    transition.recordDecision(
        DecisionKind.CLOSE,
        DecisionReason.of(
            ReasonCode.TARGET_REACHED, Integer.toString(trial), Integer.toString(unit)),
        Map.of("metric", metric));
    transition.trial(trial, state -> state.reached(unit, metric, OptionalInt.empty()));
    endSearch(transition);
  }

  /** Ends the search at once; its result is what the trials have reached. */
  static void endSearch(Transition transition) {
    complete(transition);
    if (RungPool.handles(transition)) {
      RungScheduler.end(transition);
    } else if (transition.definition.hyperSched().isPresent()) {
      HyperSchedScheduler.end(transition);
    } else {
      Scheduler.end(transition);
    }
    RungOutcomes.stopRest(transition);
  }

  /**
   * Stops what another controller may have taken over after the search has ended. In a search
   * without a target and patience, nothing is left then.
   */
  static void stopRest(Transition transition) {
    boolean mayEnd =
        transition.definition.workload().target().isPresent()
            || transition.definition.patience().isPresent();
    if (mayEnd && hasEnded(transition)) {
      complete(transition);
      RungOutcomes.stopRest(transition);
    }
  }

  /** Whether no group is left. */
  static boolean hasEnded(Transition transition) {
    return IntStream.range(0, transition.chainCount())
        .allMatch(chain -> transition.group(chain).isEmpty());
  }

  /** Trials that are trained to the end are completed. */
  private static void complete(Transition transition) {
    for (TrialState trial : List.copyOf(transition.trials().values())) {
      int last =
          transition.chainDefinition(trial.chain()).groups().stream()
              .mapToInt(group -> group.toUnit())
              .max()
              .orElseThrow();
      if (trial.status() == TrialState.Status.WAITING && trial.unit() >= last) {
        transition.trial(trial.trial(), state -> state.as(TrialState.Status.COMPLETED));
      }
    }
  }
}
