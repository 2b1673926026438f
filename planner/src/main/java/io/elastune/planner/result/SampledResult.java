package io.elastune.planner.result;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Results of planners that have no exact search: they sample candidates and bound only the work.
 */
public final class SampledResult {
  private final Problem problem;
  private final SearchParameters parameters;
  private final ChoiceSet choiceSet;
  private final PlanEvaluator evaluator;
  private final PlanSelector selector;
  private final BooleanSupplier timeLimitReached;

  public SampledResult(
      Problem problem,
      SearchParameters parameters,
      ChoiceSet choiceSet,
      PlanEvaluator evaluator,
      PlanSelector selector,
      BooleanSupplier timeLimitReached) {
    this.problem = problem;
    this.parameters = parameters;
    this.choiceSet = choiceSet;
    this.evaluator = evaluator;
    this.selector = selector;
    this.timeLimitReached = timeLimitReached;
  }

  /**
   * Returns the best candidate by the final estimate, or which limits none meets.
   *
   * @param statics the static clusters
   * @param more further baselines
   * @param remark why the plan is not proven optimal
   */
  public PlanResult best(
      CandidateSet statics,
      CandidateSet candidates,
      List<Baseline> more,
      WorkBounds bounds,
      String remark) {
    List<Baseline> baselines = new ArrayList<>();
    baselines.add(evaluator.baseline(Baselines.STATIC_CLUSTER, selector.bestOrNearest(statics)));
    baselines.add(
        evaluator.baseline(
            "fastest", evaluator.evaluateForComparison(candidates.fastestFirst().get(0))));
    baselines.add(
        new Baseline(
            "lower-bound", false, bounds.shortestS(), bounds.leastUsd(), Optional.empty()));
    baselines.addAll(more);
    selector.best(candidates);
    PlanResultBuilder builder = builder(baselines);
    return selector
        .sure(candidates.fastestFirst(), List.of())
        .map(
            best ->
                builder.found(best, candidates, bounds.of(best, selector.minimizesCost(), remark)))
        .orElseGet(() -> builder.infeasible(candidates));
  }

  /** Returns a builder of results without greedy steps. */
  public PlanResultBuilder builder(List<Baseline> baselines) {
    return new PlanResultBuilder(
        problem,
        parameters.resultDetail(),
        choiceSet,
        evaluator,
        selector,
        candidate -> List.of(),
        baselines,
        timeLimitReached.getAsBoolean());
  }
}
