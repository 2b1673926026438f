package io.elastune.planner;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Builds the result of the planner. */
final class Report {
  private static final String CUT_SHORT =
      "not proven optimal: the time limit was reached; a longer search may find a cheaper plan";

  private final Problem problem;
  private final SearchParameters.ResultDetail detail;
  private final Menu menu;
  private final Judge judge;
  private final Selection selection;
  private final JobSearch search;
  private final List<Baseline> baselines;
  private final boolean cutShort;

  /**
   * @param cutShort whether the time limit ended the search
   */
  Report(
      Problem problem,
      SearchParameters.ResultDetail detail,
      Menu menu,
      Judge judge,
      Selection selection,
      JobSearch search,
      List<Baseline> baselines,
      boolean cutShort) {
    this.cutShort = cutShort;
    this.problem = problem;
    this.detail = detail;
    this.menu = menu;
    this.judge = judge;
    this.selection = selection;
    this.search = search;
    this.baselines = List.copyOf(baselines);
  }

  PlanResult found(Verdict best, CandidateSet candidates, Bound.Bounds bounds) {
    List<String> remarks = remarks();
    remarks.addAll(bounds.remarks());
    Outline outline = candidates.byPlan().get(best.plan());
    List<Step> steps = outline == null || best.plan().hold() ? List.of() : search.stepsTo(outline);
    return new PlanResult.Found(
        best.plan(),
        judge.estimate(best.plan()),
        baselines.stream().map(baseline -> evaluatedClosely(baseline, best)).toList(),
        bounds.optimum(),
        frontier(candidates.frontier(), candidates.others(), Optional.of(best)),
        steps,
        remarks);
  }

  /** Evaluates a baseline that costs about as much as the plan with as many samples as the plan. */
  private Baseline evaluatedClosely(Baseline baseline, Verdict best) {
    boolean close = Math.abs(baseline.costUsd() / best.costUsd() - 1) < detail.closeCostRatio();
    return baseline
        .plan()
        .filter(plan -> close)
        .map(judge::shown)
        .map(
            verdict ->
                new Baseline(
                    baseline.name(),
                    judge.keepsAll(verdict),
                    verdict.completionS(),
                    verdict.costUsd(),
                    baseline.plan()))
        .orElse(baseline);
  }

  PlanResult infeasible(Choices shown) {
    Limits limits = problem.limits();
    Optional<Verdict> onTime =
        limits.deadlineS().isPresent() ? selection.cheapestOnTime(shown) : Optional.empty();
    Optional<Verdict> inBudget =
        limits.budgetUsd().isPresent() ? selection.fastestInBudget(shown) : Optional.empty();
    boolean neither = onTime.isEmpty() && inBudget.isEmpty();
    boolean either = onTime.isPresent() && inBudget.isPresent();
    Verdict nearest = onTime.or(() -> inBudget).orElseGet(() -> selection.nearest(shown));
    double safeS = judge.shown(inBudget.orElse(nearest).plan()).safeS();
    double safeUsd = judge.shown(onTime.orElse(nearest).plan()).safeUsd();
    List<String> remarks = remarks();
    if (problem.workload().chains().size() > 1) {
      remarks.add("not proven optimal: the nearest limits are those of the best joint plan found");
    }
    List<Violation> violated = new ArrayList<>();
    OptionalDouble nearestS = limits.deadlineS();
    if (limits.deadlineS().isPresent() && safeS > limits.deadlineS().getAsDouble()) {
      nearestS = OptionalDouble.of(safeS);
      double earliestS = neither ? Math.min(safeS, earliestS(shown)) : safeS;
      violated.add(
          new Violation(Violation.Limit.DEADLINE, earliestS - limits.deadlineS().getAsDouble()));
    }
    OptionalDouble nearestUsd = limits.budgetUsd();
    if (limits.budgetUsd().isPresent() && safeUsd > limits.budgetUsd().getAsDouble()) {
      nearestUsd = OptionalDouble.of(safeUsd);
      double leastUsd = neither ? Math.min(safeUsd, leastUsd(shown)) : safeUsd;
      violated.add(
          new Violation(Violation.Limit.BUDGET, leastUsd - limits.budgetUsd().getAsDouble()));
    }
    return new PlanResult.Infeasible(
        violated,
        new PlanResult.Nearest(nearestS, nearestUsd, !either),
        baselines,
        frontier(shown, List.of(), Optional.empty()),
        remarks);
  }

  /** The least deadline that a plan meets, regardless of the budget. */
  private double earliestS(Choices shown) {
    return judge.full(shown.fastestFirst().get(0)).safeS();
  }

  /** The least budget that a plan meets, regardless of the deadline. */
  private double leastUsd(Choices shown) {
    return judge.full(shown.fastestFirst().get(shown.fastestFirst().size() - 1)).safeUsd();
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>(menu.refusals());
    if (cutShort) {
      remarks.add(CUT_SHORT);
    }
    return remarks;
  }

  private List<FrontierPoint> frontier(Choices choices, List<Plan> others, Optional<Verdict> best) {
    List<Plan> shown = choices.fastestFirst();
    Set<Plan> some = new LinkedHashSet<>();
    best.ifPresent(verdict -> some.add(verdict.plan()));
    some.addAll(others);
    int points = Math.min(detail.frontierPoints(), shown.size());
    for (int point = 0; point < points; point++) {
      some.add(shown.get(points == 1 ? 0 : point * (shown.size() - 1) / (points - 1)));
    }
    Front<Verdict> front = new Front<>(Comparator.comparingDouble(Verdict::costUsd));
    // The plan found is shown with its final estimate, which has more samples than the others.
    some.forEach(
        plan ->
            front.add(
                best.filter(verdict -> verdict.plan().equals(plan))
                    .orElseGet(() -> judge.some(plan))));
    return front.items().stream().map(Report::point).toList();
  }

  private static FrontierPoint point(Verdict verdict) {
    return new FrontierPoint(
        verdict.completionS(),
        verdict.costUsd(),
        verdict.onTime(),
        verdict.safeS(),
        verdict.safeUsd(),
        verdict.plan());
  }
}
