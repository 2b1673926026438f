package io.elastune.planner.sampled;

import io.elastune.core.plan.Plan;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.result.Baselines;
import io.elastune.planner.result.OptimalityGap;
import io.elastune.planner.result.PlanResultBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Finds the best plan of a kind by sampling (docs/planner.md, "Sampled plans"): the best static
 * clusters in rounds, descents from these by marginal benefit, and the selection of the final plan.
 * Each plan is sampled once, with the same draws as all others.
 */
public final class SampledPlanner<C> {
  /** Static clusters from which a descent begins for each figure: one may lead to a poor plan. */
  private static final int STARTS = 2;

  private final PlannerInputs inputs;
  private final PlanKind<C> kind;
  private final PlanEvaluator evaluator;
  private final PlanSelector selector;
  private final SampledDescent<C> descent;
  private final boolean isFixed;
  private boolean isBestOfAll;

  public SampledPlanner(PlannerInputs inputs, PlanKind<C> kind) {
    this.inputs = inputs;
    this.kind = kind;
    this.evaluator = new PlanEvaluator(inputs);
    this.selector = new PlanSelector(inputs, evaluator);
    this.descent = new SampledDescent<>(inputs, kind, evaluator, selector);
    this.isFixed = inputs.problem().cluster().isPresent();
  }

  public PlanResult plan() {
    List<Map<C, Evaluation>> clusters = clusters();
    if (clusters.isEmpty()) {
      return new PlanResult.Impossible(kind.refusal());
    }
    CandidateSet statics = statics(clusters);
    CandidateSet candidates = candidates(clusters, statics);
    List<Baseline> baselines = baselines(statics, candidates);
    PlanResultBuilder builder =
        new PlanResultBuilder(
            inputs, kind.choiceSet(), evaluator, selector, none -> List.of(), baselines);
    return best(candidates)
        .map(best -> builder.found(best, candidates, bounds(best)))
        .orElseGet(() -> builder.infeasible(candidates));
  }

  /** Returns the best plan by the final estimate; a single one is compared with no other. */
  private Optional<Evaluation> best(CandidateSet candidates) {
    List<Plan> plans = candidates.fastestFirst();
    if (plans.size() == 1) {
      return Optional.of(evaluator.evaluateFinally(plans.get(0))).filter(evaluator::meetsAllLimits);
    }
    selector.best(candidates);
    return selector.sure(plans, List.of());
  }

  /** Returns the fastest plan found, as a baseline of another problem; empty if none is legal. */
  public Optional<Baseline> fastest(String name) {
    List<Map<C, Evaluation>> clusters = clusters();
    if (clusters.isEmpty()) {
      return Optional.empty();
    }
    Evaluation best =
        evaluator.evaluateFinally(candidates(clusters, statics(clusters)).fastestFirst().get(0));
    return Optional.of(
        new Baseline(
            name,
            evaluator.meetsAllLimits(best),
            best.completionS(),
            best.costUsd(),
            Optional.empty()));
  }

  /** Returns the best static clusters of each set that is searched by itself. */
  private List<Map<C, Evaluation>> clusters() {
    SampledRounds<C> rounds = new SampledRounds<>(inputs, kind, evaluator, selector);
    return kind.statics().stream().filter(set -> !set.isEmpty()).map(rounds::best).toList();
  }

  private CandidateSet statics(List<Map<C, Evaluation>> clusters) {
    return frontier(clusters.stream().flatMap(each -> each.values().stream()).toList());
  }

  private CandidateSet candidates(List<Map<C, Evaluation>> clusters, CandidateSet statics) {
    boolean isSearched = isFixed || inputs.options().kind() != Kind.STATIC;
    CandidateSet found = isSearched ? search(clusters) : statics;
    // A search that reached its time limit before its first plan leaves only static clusters.
    return found.fastestFirst().isEmpty() ? statics : found;
  }

  private CandidateSet search(List<Map<C, Evaluation>> clusters) {
    Optional<CandidateSet> modeled = kind.modeled(evaluator);
    if (modeled.isPresent()) {
      return modeled.get();
    }
    Kind effort = inputs.options().kind();
    Optional<List<C>> all =
        effort == Kind.EXACT || effort == Kind.BEST ? kind.all() : Optional.empty();
    isBestOfAll = all.isPresent();
    all.ifPresentOrElse(descent::evaluateAll, () -> descend(clusters));
    return frontier(descent.evaluated());
  }

  private void descend(List<Map<C, Evaluation>> clusters) {
    clusters.forEach(this::descend);
    descent.completeFrontier();
  }

  private void descend(Map<C, Evaluation> clusters) {
    for (ToDoubleFunction<Evaluation> figure :
        List.<ToDoubleFunction<Evaluation>>of(Evaluation::costUsd, Evaluation::completionS)) {
      clusters.entrySet().stream()
          .sorted(
              Map.Entry.comparingByValue(
                  Comparator.<Evaluation>comparingDouble(one -> Math.max(1, selector.overrun(one)))
                      .thenComparingDouble(figure)))
          .limit(STARTS)
          .forEach(start -> descent.descend(start.getKey()));
    }
  }

  private CandidateSet frontier(Collection<Evaluation> evaluations) {
    return CandidateSet.ofEvaluated(evaluations, inputs.problem().limits());
  }

  /** Nothing is gained over static clusters on a fixed cluster, which is one. */
  private List<Baseline> baselines(CandidateSet statics, CandidateSet candidates) {
    if (isFixed) {
      return kind.baselines();
    }
    List<Baseline> baselines = new ArrayList<>();
    baselines.add(evaluator.baseline(Baselines.STATIC_CLUSTER, selector.bestOrNearest(statics)));
    baselines.add(
        evaluator.baseline(
            "fastest", evaluator.evaluateForComparison(candidates.fastestFirst().get(0))));
    baselines.add(
        new Baseline(
            "lower-bound",
            false,
            kind.bounds().shortestS(),
            kind.bounds().leastUsd(),
            Optional.empty()));
    baselines.addAll(kind.baselines());
    return baselines;
  }

  /** How far the plan may be from the best one, of which only the work is bounded. */
  private OptimalityGap.Bounds bounds(Evaluation best) {
    double leastUsd = Math.min(kind.bounds().leastUsd(), best.costUsd());
    double gap =
        PlanSelector.minimizesCost(inputs.problem().limits())
            ? OptimalityGap.gap(best.costUsd(), leastUsd)
            : OptimalityGap.gap(best.completionS(), kind.bounds().shortestS());
    return new OptimalityGap.Bounds(
        new Optimum(leastUsd, gap, leastUsd, false, false),
        List.of(PlanResult.NOT_PROVEN + ": " + kind.remark(isBestOfAll)));
  }
}
