package io.elastune.planner.evaluate;

import io.elastune.core.plan.Plan;
import io.elastune.planner.evaluate.PlanEvaluator.ChanceConstraint;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.Bisection;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the best of many plans with few samples. The plans are in an order along which a limit
 * changes from missed to met, apart from noise: a bisection finds the border, then the plans around
 * it are evaluated one by one.
 */
final class CandidateRace {
  private final PlanEvaluator planEvaluator;
  private final SearchParameters.Race parameters;

  CandidateRace(PlanEvaluator planEvaluator, SearchParameters.Race parameters) {
    this.parameters = parameters;
    this.planEvaluator = planEvaluator;
  }

  /**
   * Returns the best of {@code plans} that meets {@code chanceConstraint}.
   *
   * @param plans the best first, the most likely to meet {@code rising} last
   * @param guess how many of them may miss it
   * @param rising the part of the limit that changes from missed to met
   */
  Optional<Evaluation> best(
      List<Plan> plans,
      int guess,
      ChanceConstraint rising,
      ChanceConstraint chanceConstraint,
      Objective objective) {
    int border =
        Bisection.firstNear(
            guess,
            plans.size(),
            i ->
                planEvaluator.meetsLimitsClearly(plans.get(i))
                    || rising.isMet().test(planEvaluator.evaluateQuickly(plans.get(i))));
    int end = Math.min(plans.size(), border + parameters.plansAroundBorder() + 1);
    List<Evaluation> kept =
        kept(
            plans.subList(Math.min(Math.max(0, border - parameters.plansAroundBorder()), end), end),
            chanceConstraint,
            objective);
    Optional<Evaluation> confirmed = confirmed(kept, chanceConstraint.isMet(), objective);
    return confirmed.isPresent() ? confirmed : firstAfter(plans, border, chanceConstraint);
  }

  /** Returns the plans that may meet the limit and may be the best, the best first. */
  private List<Evaluation> kept(
      List<Plan> plans, ChanceConstraint chanceConstraint, Objective objective) {
    List<Evaluation> kept = new ArrayList<>();
    Optional<Evaluation> best = Optional.empty();
    for (Plan plan : plans) {
      if (best.isPresent()
          && planEvaluator.isSurelyWorse(plan, best.get().plan(), objective::values)) {
        continue;
      }
      Evaluation evaluation = planEvaluator.evaluateQuickly(plan);
      if (chanceConstraint.mayBeMet().test(evaluation)) {
        kept.add(evaluation);
      }
      if (chanceConstraint.isMet().test(evaluation)) {
        best = Stream.concat(best.stream(), Stream.of(evaluation)).min(objective);
      }
    }
    kept.sort(objective);
    return kept;
  }

  private Optional<Evaluation> confirmed(
      List<Evaluation> kept, Predicate<Evaluation> limit, Objective objective) {
    List<Evaluation> confirmed = new ArrayList<>();
    for (int i = 0;
        i < kept.size() && i < parameters.confirmedPlans() && confirmed.size() < 2;
        i++) {
      Plan plan = kept.get(i).plan();
      if (!confirmed.isEmpty()
          && planEvaluator.isSurelyWorse(plan, confirmed.get(0).plan(), objective::values)) {
        continue;
      }
      Evaluation full = planEvaluator.evaluateForComparison(plan);
      if (limit.test(full)) {
        confirmed.add(full);
      }
    }
    return confirmed.stream().min(objective);
  }

  private Optional<Evaluation> firstAfter(
      List<Plan> plans, int border, ChanceConstraint chanceConstraint) {
    int from = Math.max(0, border - parameters.plansAroundBorder());
    return plans.subList(Math.min(from, plans.size()), plans.size()).stream()
        .filter(plan -> chanceConstraint.mayBeMet().test(planEvaluator.evaluateQuickly(plan)))
        .map(planEvaluator::evaluateForComparison)
        .filter(chanceConstraint.isMet())
        .findFirst();
  }

  /**
   * Returns the best of {@code ranked} that meets {@code limit} by the samples of the final
   * estimate. If the first of them fails, plans that were not compared may be better than the next:
   * those of {@code safer} come first, as far as they are.
   */
  Optional<Evaluation> sure(
      List<Evaluation> ranked, List<Plan> safer, Predicate<Evaluation> limit, Objective better) {
    int fails = 0;
    while (fails < ranked.size() && fails < parameters.confirmedPlans()) {
      Evaluation evaluation = planEvaluator.evaluateFinallyIfFeasible(ranked.get(fails).plan());
      if (limit.test(evaluation)) {
        break;
      }
      fails++;
    }
    Optional<Evaluation> best =
        fails < Math.min(ranked.size(), parameters.confirmedPlans())
            ? Optional.of(planEvaluator.evaluateFinally(ranked.get(fails).plan()))
            : Optional.empty();
    if (best.isPresent() && fails == 0) {
      return best;
    }
    Optional<Evaluation> other =
        safer.stream()
            .filter(
                plan ->
                    best.stream()
                        .allMatch(
                            b ->
                                !planEvaluator.isWorseByFar(plan, b.plan(), better::values)
                                    && better.compare(planEvaluator.evaluateQuickly(plan), b) < 0))
            .limit(2L * parameters.confirmedPlans())
            .map(planEvaluator::evaluateFinallyIfFeasible)
            .filter(limit)
            .findFirst();
    return Stream.concat(best.stream(), other.stream()).min(better);
  }
}
