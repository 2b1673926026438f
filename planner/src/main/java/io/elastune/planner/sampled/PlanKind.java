package io.elastune.planner.sampled;

import io.elastune.core.plan.Plan;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.model.ChoiceSet;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The plans of one kind, as far as {@link SampledPlanner} must distinguish them (docs/planner.md,
 * "Sampled plans").
 *
 * @param <C> what a plan of this kind consists of
 */
public interface PlanKind<C> {
  /** Returns the offers and sizes of all plans. */
  ChoiceSet choiceSet();

  /**
   * Returns the static clusters from which the search starts, in sets that are searched each by
   * itself; none if no plan is legal.
   */
  List<List<C>> statics();

  /** Returns why no plan is legal. */
  String refusal();

  /**
   * Returns the plan of a candidate, which the simulator plays.
   *
   * @param hold whether its instances are held to the end; on a fixed cluster they always are
   */
  Plan plan(C candidate, boolean hold);

  /** Returns lower bounds of all plans. */
  Bounds<C> bounds();

  /**
   * Lower bounds of mean completion times in seconds and mean costs in USD.
   *
   * @param staticS of a static cluster
   * @param staticUsd of a static cluster
   * @param shortestS of any plan
   * @param leastUsd of any plan
   */
  record Bounds<C>(
      ToDoubleFunction<C> staticS,
      ToDoubleFunction<C> staticUsd,
      double shortestS,
      double leastUsd) {}

  /** Returns how many parts a candidate has that depend little on each other. */
  default int parts() {
    return 1;
  }

  /** Returns the candidates that differ from one by a step in a part, from 0. */
  List<C> neighbors(C from, int part);

  /** Returns all candidates if they are few enough to be sampled, otherwise nothing. */
  default Optional<List<C>> all() {
    return Optional.empty();
  }

  /** Returns what a model of this kind finds, which then replaces the descents. */
  default Optional<CandidateSet> modeled(PlanEvaluator evaluator) {
    return Optional.empty();
  }

  /** Returns other plans to compare with. */
  default List<Baseline> baselines() {
    return List.of();
  }

  /**
   * Returns why a plan is not proven optimal.
   *
   * @param isBestOfAll whether all plans were sampled
   */
  String remark(boolean isBestOfAll);
}
