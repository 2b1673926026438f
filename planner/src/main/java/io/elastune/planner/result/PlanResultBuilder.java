package io.elastune.planner.result;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.GreedyStep;
import io.elastune.planner.api.LimitViolation;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.NoSampleException;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/** Builds the result of the planner. */
public final class PlanResultBuilder {
  private final Problem problem;
  private final SearchParameters.ResultDetail detail;
  private final ChoiceSet choiceSet;
  private final PlanEvaluator planEvaluator;
  private final PlanSelector planSelector;
  private final Function<JobCandidate, List<GreedyStep>> steps;
  private final List<Baseline> baselines;
  private final boolean cutShort;

  /**
   * @param steps the steps by which the greedy search found a candidate
   */
  public PlanResultBuilder(
      PlannerInputs inputs,
      ChoiceSet choiceSet,
      PlanEvaluator planEvaluator,
      PlanSelector planSelector,
      Function<JobCandidate, List<GreedyStep>> steps,
      List<Baseline> baselines) {
    this.problem = inputs.problem();
    this.detail = inputs.parameters().resultDetail();
    this.cutShort = inputs.isOver();
    this.choiceSet = choiceSet;
    this.planEvaluator = planEvaluator;
    this.planSelector = planSelector;
    this.steps = steps;
    this.baselines = List.copyOf(baselines);
  }

  public PlanResult found(Evaluation best, CandidateSet candidates, OptimalityGap.Bounds bounds) {
    List<String> remarks = remarks();
    remarks.addAll(bounds.remarks());
    JobCandidate jobCandidate = candidates.byPlan().get(best.plan());
    List<GreedyStep> greedySteps =
        jobCandidate == null || best.plan().hold() ? List.of() : steps.apply(jobCandidate);
    return new PlanResult.Found(
        best.plan(),
        planEvaluator.estimate(best.plan()),
        baselines.stream().map(baseline -> evaluatedClosely(baseline, best)).toList(),
        bounds.optimum(),
        frontier(candidates, candidates.others(), Optional.of(best)),
        greedySteps,
        remarks,
        planEvaluator.samples());
  }

  /** Evaluates a baseline that costs about as much as the plan with as many samples as the plan. */
  private Baseline evaluatedClosely(Baseline baseline, Evaluation best) {
    boolean close = Math.abs(baseline.costUsd() / best.costUsd() - 1) < detail.closeCostRatio();
    return baseline
        .plan()
        .filter(plan -> close)
        .map(planEvaluator::evaluateFinally)
        .map(evaluation -> planEvaluator.baseline(baseline.name(), evaluation))
        .orElse(baseline);
  }

  public PlanResult infeasible(CandidateSet shown) {
    Limits limits = problem.limits();
    Optional<Evaluation> onTime =
        limits.deadlineS().isPresent() ? planSelector.cheapestOnTime(shown) : Optional.empty();
    Optional<Evaluation> inBudget =
        limits.budgetUsd().isPresent() ? planSelector.fastestInBudget(shown) : Optional.empty();
    boolean neither = onTime.isEmpty() && inBudget.isEmpty();
    boolean either = onTime.isPresent() && inBudget.isPresent();
    Evaluation nearest = onTime.or(() -> inBudget).orElseGet(() -> planSelector.nearest(shown));
    Evaluation fast = planEvaluator.evaluateFinally(inBudget.orElse(nearest).plan());
    Evaluation cheap = planEvaluator.evaluateFinally(onTime.orElse(nearest).plan());
    if (fast.samples() == 0 || cheap.samples() == 0) {
      throw new NoSampleException();
    }
    double safeS = fast.safeS();
    double safeUsd = cheap.safeUsd();
    if (Double.isInfinite(safeS)) {
      return new PlanResult.Impossible(noResult(fast.plan()));
    }
    List<String> remarks = remarks();
    if (problem.workload().chains().size() > 1) {
      remarks.add(
          PlanResult.NOT_PROVEN + ": the nearest limits are those of the best joint plan found");
    }
    List<LimitViolation> violated = new ArrayList<>();
    OptionalDouble nearestS = limits.deadlineS();
    if (limits.deadlineS().isPresent() && safeS > limits.deadlineS().getAsDouble()) {
      nearestS = OptionalDouble.of(safeS);
      double earliestS = neither ? Math.min(safeS, earliestS(shown)) : safeS;
      violated.add(
          new LimitViolation(
              LimitViolation.Limit.DEADLINE, earliestS - limits.deadlineS().getAsDouble()));
    }
    OptionalDouble nearestUsd = limits.budgetUsd();
    if (limits.budgetUsd().isPresent() && safeUsd > limits.budgetUsd().getAsDouble()) {
      nearestUsd = OptionalDouble.of(safeUsd);
      double leastUsd = neither ? Math.min(safeUsd, leastUsd(shown)) : safeUsd;
      violated.add(
          new LimitViolation(
              LimitViolation.Limit.BUDGET, leastUsd - limits.budgetUsd().getAsDouble()));
    }
    return new PlanResult.Infeasible(
        violated,
        new PlanResult.Nearest(nearestS, nearestUsd, !either),
        baselines,
        frontier(shown, List.of(), Optional.empty()),
        remarks,
        planEvaluator.samples());
  }

  private String noResult(Plan plan) {
    double without = planEvaluator.estimate(plan).withoutResult();
    return "the search ends after %s, and the probability that a trial has a result by then is %d%%;"
            .formatted(
                Durations.format(problem.endsAtS().orElseThrow()),
                (long) Math.floor(100 * (1 - without)))
        + (problem.hyperSched().isPresent()
            ? " choose a later deadline"
            : " choose a later search.stop.time");
  }

  /** The least deadline that a plan meets, regardless of the budget. */
  private double earliestS(CandidateSet shown) {
    return planEvaluator.evaluateForComparison(shown.fastestFirst().get(0)).safeS();
  }

  /** The least budget that a plan meets, regardless of the deadline. */
  private double leastUsd(CandidateSet shown) {
    return planEvaluator
        .evaluateForComparison(shown.fastestFirst().get(shown.fastestFirst().size() - 1))
        .safeUsd();
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>(choiceSet.refusals());
    if (cutShort) {
      remarks.add(PlanResult.CUT_SHORT);
    }
    return remarks;
  }

  private List<FrontierPoint> frontier(
      CandidateSet candidates, List<Plan> others, Optional<Evaluation> best) {
    if (detail.frontierPoints() == 0) {
      return List.of();
    }
    List<Plan> shown = candidates.fastestFirst();
    Set<Plan> some = new LinkedHashSet<>();
    best.ifPresent(evaluation -> some.add(evaluation.plan()));
    some.addAll(others);
    int points = Math.min(detail.frontierPoints(), shown.size());
    for (int point = 0; point < points; point++) {
      some.add(shown.get(points == 1 ? 0 : point * (shown.size() - 1) / (points - 1)));
    }
    ParetoFront<Evaluation> paretoFront =
        new ParetoFront<>(Comparator.comparingDouble(Evaluation::costUsd));
    // The plan found is shown with its final estimate, which has more samples than the others.
    some.forEach(
        plan ->
            paretoFront.add(
                best.filter(evaluation -> evaluation.plan().equals(plan))
                    .orElseGet(() -> planEvaluator.evaluateForFrontier(plan))));
    return paretoFront.items().stream().map(PlanResultBuilder::point).toList();
  }

  private static FrontierPoint point(Evaluation evaluation) {
    return new FrontierPoint(
        evaluation.completionS(),
        evaluation.costUsd(),
        evaluation.onTime(),
        evaluation.safeS(),
        evaluation.safeUsd(),
        evaluation.plan());
  }
}
