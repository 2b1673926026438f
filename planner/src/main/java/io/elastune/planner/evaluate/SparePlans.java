package io.elastune.planner.evaluate;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.Bisection;
import io.elastune.planner.model.SearchParameters;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Adds a spare instance to plans that would miss the deadline without it: an instance that is lost
 * is then replaced without queueing and booting. The search with mean values knows no spare
 * instances, so these plans are found by sampling alone.
 */
public final class SparePlans {
  /** Part of the cost by which a cheaper plan may seem more expensive by screening samples. */
  private static final double SCREENING_ERROR = 0.01;

  private final Problem problem;
  private final PlanEvaluator planEvaluator;
  private final SearchParameters.SpareSearch parameters;

  public SparePlans(
      Problem problem, PlanEvaluator planEvaluator, SearchParameters.SpareSearch parameters) {
    this.problem = problem;
    this.planEvaluator = planEvaluator;
    this.parameters = parameters;
  }

  /**
   * Returns plans with spare instances that meet the limits and cost less than {@code best}.
   *
   * @param fastestFirst the frontier, each plan slower and cheaper than the one before
   */
  List<Plan> around(List<Plan> fastestFirst, Optional<Evaluation> best) {
    if (!isUseful()) {
      return List.of();
    }
    double mostUsd = best.map(Evaluation::costUsd).orElse(Double.POSITIVE_INFINITY);
    double glanceUsd =
        best.map(evaluation -> planEvaluator.glanceUsd(evaluation.plan()))
            .orElse(Double.POSITIVE_INFINITY);
    return late(fastestFirst, glanceUsd).stream()
        .flatMap(plan -> variants(plan, best, glanceUsd).stream())
        .map(planEvaluator::evaluateQuickly)
        .filter(one -> one.costUsd() < mostUsd && planEvaluator.mayMeetAllLimits(one))
        .sorted(Comparator.comparingDouble(Evaluation::costUsd))
        .limit(parameters.confirmedPlans())
        .map(Evaluation::plan)
        .filter(plan -> planEvaluator.meetsAllLimits(planEvaluator.evaluateForComparison(plan)))
        .toList();
  }

  /** Whether instances can be lost, and a deadline be missed for it. */
  private boolean isUseful() {
    return problem.limits().deadlineS().isPresent()
        && problem.offers().stream().anyMatch(offer -> !offer.faults().isNone());
  }

  /** The plans that just miss the deadline: cheaper than the best one, or the fastest. */
  private List<Plan> late(List<Plan> fastestFirst, double mostGlanceUsd) {
    double least = problem.limits().confidence() - parameters.missingConfidence();
    return cheaper(fastestFirst, mostGlanceUsd).stream()
        .filter(plan -> !plan.hold())
        .filter(plan -> planEvaluator.glanceUsd(plan) < mostGlanceUsd)
        .limit(parameters.plans())
        .filter(plan -> planEvaluator.evaluateByScreening(plan).onTime() >= least)
        .toList();
  }

  /** The end of the frontier that costs less, found by bisection. */
  private List<Plan> cheaper(List<Plan> fastestFirst, double mostGlanceUsd) {
    int from =
        Bisection.first(
            0,
            fastestFirst.size(),
            i -> planEvaluator.glanceUsd(fastestFirst.get(i)) < mostGlanceUsd);
    return fastestFirst.subList(from, fastestFirst.size());
  }

  /** The plan with a spare instance in some of its groups; none if too few gain by it. */
  private Collection<Plan> variants(Plan plan, Optional<Evaluation> best, double mostGlanceUsd) {
    List<TrialGroup> possible =
        problem.workload().groups().stream()
            .filter(group -> isLegal(withSpare(plan, List.of(group))))
            .toList();
    Plan everywhere = withSpare(plan, possible);
    boolean legal = isLegal(everywhere);
    if (possible.isEmpty() || (legal && !(gains(everywhere, plan) && mayBeOnTime(everywhere)))) {
      return List.of();
    }
    Set<Plan> variants = new LinkedHashSet<>();
    if (legal) {
      variants.add(everywhere);
    }
    for (Chain chain : problem.workload().chains()) {
      List<TrialGroup> groups = chain.groups().stream().filter(possible::contains).toList();
      for (int from = 0; from < groups.size(); from++) {
        Plan rest = withSpare(plan, groups.subList(from, groups.size()));
        if (isLegal(rest)) {
          variants.add(rest);
        }
        variants.add(withSpare(plan, groups.subList(from, from + 1)));
      }
    }
    // Equal samples of two plans have the same random numbers, so that few show which costs less.
    variants.removeIf(
        other ->
            best.stream()
                .anyMatch(
                    than ->
                        planEvaluator.isWorseByFar(other, than.plan(), Objective.CHEAPER::values)));
    variants.removeIf(
        other -> planEvaluator.glanceUsd(other) > mostGlanceUsd * (1 + SCREENING_ERROR));
    return variants;
  }

  private boolean isLegal(Plan plan) {
    return PlanRules.faults(problem, plan).isEmpty();
  }

  /** Whether a plan meets the deadline in more of the screening samples than another one. */
  private boolean gains(Plan spare, Plan plan) {
    return planEvaluator.evaluateByScreening(spare).onTime()
        > planEvaluator.evaluateByScreening(plan).onTime();
  }

  /** Whether a plan may meet the deadline, by the screening samples first. */
  private boolean mayBeOnTime(Plan plan) {
    Predicate<Evaluation> mayBeMet = planEvaluator.deadline().mayBeMet();
    return mayBeMet.test(planEvaluator.evaluateByScreening(plan))
        && mayBeMet.test(planEvaluator.evaluateQuickly(plan));
  }

  private static Plan withSpare(Plan plan, List<TrialGroup> groups) {
    Map<String, Allocation> allocations = new LinkedHashMap<>(plan.allocations());
    groups.forEach(
        group -> allocations.computeIfPresent(group.name(), (name, now) -> now.withMoreSpare(1)));
    return new Plan(plan.hold(), plan.shared(), allocations);
  }
}
