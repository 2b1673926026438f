package io.elastune.planner.evaluate;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.planner.evaluate.PlanEvaluator.ChanceConstraint;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.Bisection;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Selects the best plan of a frontier by the limits of the job (docs/model.md). */
public final class PlanSelector {
  /**
   * Least limit in seconds or dollars, to avoid division by zero for a limit that has passed; not
   * tunable.
   */
  private static final double LEAST = 1e-6;

  private final Limits limits;
  private final PlanEvaluator planEvaluator;
  private final SearchParameters.Race parameters;
  private final CandidateRace candidateRace;
  private final boolean minimizesCost;

  /** Creates a selector; of the plans of a fixed cluster, the fastest one is sought. */
  public PlanSelector(PlannerInputs inputs, PlanEvaluator planEvaluator) {
    this.limits = inputs.problem().limits();
    this.parameters = inputs.parameters().race();
    this.minimizesCost = inputs.problem().cluster().isEmpty() && minimizesCost(limits);
    this.planEvaluator = planEvaluator;
    this.candidateRace = new CandidateRace(planEvaluator, parameters);
  }

  /** Returns the best plan that meets all limits: the cheapest or the fastest one. */
  public Optional<Evaluation> best(CandidateSet candidates) {
    return minimizesCost()
        ? cheapest(candidates, planEvaluator.allLimits())
        : fastest(candidates, planEvaluator.allLimits());
  }

  /**
   * Returns the best plan that meets all limits, or else the one that is nearest to meeting them.
   *
   * @param candidates at least one
   */
  public Evaluation bestOrNearest(CandidateSet candidates) {
    return best(candidates).orElseGet(() -> nearest(candidates));
  }

  /**
   * Returns the best plan by the samples of the final estimate: of the plans compared so far, or
   * else one that meets the limits with more margin.
   *
   * @param others plans that are not on the frontier
   */
  public Optional<Evaluation> sure(List<Plan> fastestFirst, List<Plan> others) {
    Objective objective = minimizesCost() ? Objective.CHEAPER : Objective.FASTER;
    List<Evaluation> ranked =
        Stream.concat(fastestFirst.stream(), others.stream())
            .filter(planEvaluator::isCompared)
            .map(planEvaluator::evaluateForComparison)
            .filter(planEvaluator::mayMeetAllLimits)
            .sorted(objective)
            .toList();
    return candidateRace.sure(
        ranked, safer(fastestFirst), planEvaluator::meetsAllLimits, objective);
  }

  /** The plans, from the first one compared, that are more likely to meet the limit. */
  private List<Plan> safer(List<Plan> fastestFirst) {
    List<Plan> rest = new ArrayList<>(fastestFirst);
    if (minimizesCost()) {
      Collections.reverse(rest);
    }
    int from = 0;
    while (from < rest.size() && !planEvaluator.isCompared(rest.get(from))) {
      from++;
    }
    return rest.subList(from, rest.size());
  }

  /** Whether the cheapest plan is sought, rather than the fastest. */
  public boolean minimizesCost() {
    return minimizesCost;
  }

  /**
   * Whether the cheapest plan is sought for these limits: with a deadline, or without any limit.
   */
  public static boolean minimizesCost(Limits limits) {
    return limits.deadlineS().isPresent() || limits.budgetUsd().isEmpty();
  }

  /** Returns the cheapest plan that meets the deadline, regardless of the budget. */
  public Optional<Evaluation> cheapestOnTime(CandidateSet candidates) {
    return cheapest(candidates, planEvaluator.deadline());
  }

  /** Returns the fastest plan within the budget, regardless of the deadline. */
  public Optional<Evaluation> fastestInBudget(CandidateSet candidates) {
    return fastest(candidates, planEvaluator.budget());
  }

  private Optional<Evaluation> cheapest(
      CandidateSet candidates, ChanceConstraint chanceConstraint) {
    List<Plan> cheapestFirst = new ArrayList<>(candidates.fastestFirst());
    Collections.reverse(cheapestFirst);
    int late = cheapestFirst.size() - candidates.onTime();
    return candidateRace.best(
        cheapestFirst, late, planEvaluator.deadline(), chanceConstraint, Objective.CHEAPER);
  }

  private Optional<Evaluation> fastest(CandidateSet candidates, ChanceConstraint chanceConstraint) {
    return candidateRace.best(
        candidates.fastestFirst(),
        candidates.overBudget(),
        planEvaluator.budget(),
        chanceConstraint,
        Objective.FASTER);
  }

  /**
   * Returns the plan that exceeds the limits by the smallest factor, searched where the overrun of
   * the deadline begins to exceed that of the budget.
   *
   * @param candidates at least one
   */
  public Evaluation nearest(CandidateSet candidates) {
    List<Plan> fastestFirst = candidates.fastestFirst();
    int border =
        Bisection.firstNear(
            candidates.onTime(),
            fastestFirst.size(),
            i -> {
              Evaluation evaluation = planEvaluator.evaluateQuickly(fastestFirst.get(i));
              return deadlineFactor(evaluation) >= budgetFactor(evaluation);
            });
    int from = Math.max(0, Math.min(border, fastestFirst.size()) - parameters.nearestPlans());
    int to = Math.min(fastestFirst.size(), border + parameters.nearestPlans());
    return fastestFirst.subList(from, to).stream()
        .sorted(Comparator.comparingDouble(plan -> overrun(planEvaluator.evaluateQuickly(plan))))
        .limit(parameters.nearestPlans())
        .map(planEvaluator::evaluateForComparison)
        .min(Comparator.comparingDouble(this::overrun))
        .orElseThrow();
  }

  /** By which factor a plan exceeds the limits; at most 1 if it meets them. */
  public double overrun(Evaluation evaluation) {
    return Math.max(deadlineFactor(evaluation), budgetFactor(evaluation));
  }

  private double deadlineFactor(Evaluation evaluation) {
    // If the deadline has passed, the earliest plan is the nearest.
    return evaluation.safeS() / Math.max(LEAST, limits.deadlineOrInfinityS());
  }

  private double budgetFactor(Evaluation evaluation) {
    return evaluation.safeUsd() / Math.max(LEAST, limits.budgetOrInfinityUsd());
  }
}
