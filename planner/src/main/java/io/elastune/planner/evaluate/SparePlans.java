package io.elastune.planner.evaluate;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds a spare instance to plans that would miss the deadline without it: an instance that is lost
 * is then replaced without queueing and booting. The search with mean values knows no spare
 * instances, so these plans are found by sampling alone.
 */
public final class SparePlans {
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
    List<Evaluation> promising = new ArrayList<>();
    for (Plan plan : late(fastestFirst, best)) {
      for (Plan other : variants(plan, mostUsd)) {
        Evaluation evaluation = planEvaluator.evaluateQuickly(other);
        if (evaluation.costUsd() < mostUsd
            && planEvaluator.allLimits().mayBeMet().test(evaluation)) {
          promising.add(evaluation);
        }
      }
    }
    return promising.stream()
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
  private List<Plan> late(List<Plan> fastestFirst, Optional<Evaluation> best) {
    double least = problem.limits().confidence() - parameters.missingConfidence();
    return fastestFirst.stream()
        .filter(plan -> !plan.hold())
        .filter(
            plan ->
                best.stream()
                    .allMatch(
                        b -> planEvaluator.glanceUsd(plan) < planEvaluator.glanceUsd(b.plan())))
        .limit(parameters.plans())
        .filter(plan -> planEvaluator.evaluateQuickly(plan).onTime() >= least)
        .toList();
  }

  /** The plan with a spare instance in some of its groups; none if too few gain by it. */
  private Collection<Plan> variants(Plan plan, double mostUsd) {
    Plan everywhere = withSpare(plan, problem.workload().groups());
    boolean hopeless =
        PlanRules.faults(problem, everywhere).isEmpty()
            && !planEvaluator
                .deadline()
                .mayBeMet()
                .test(planEvaluator.evaluateByScreening(everywhere));
    return hopeless ? List.of() : legalVariants(plan, mostUsd);
  }

  private Collection<Plan> legalVariants(Plan plan, double mostUsd) {
    Set<Plan> variants = new LinkedHashSet<>();
    variants.add(withSpare(plan, problem.workload().groups()));
    for (Chain chain : problem.workload().chains()) {
      List<TrialGroup> groups = chain.groups();
      for (int from = 0; from < groups.size(); from++) {
        variants.add(withSpare(plan, groups.subList(from, groups.size())));
        variants.add(withSpare(plan, groups.subList(from, from + 1)));
      }
    }
    variants.removeIf(
        other ->
            !PlanRules.faults(problem, other).isEmpty()
                || planEvaluator.glanceUsd(other) > mostUsd * (1 + parameters.missingConfidence()));
    return variants;
  }

  private static Plan withSpare(Plan plan, List<TrialGroup> groups) {
    Map<String, Allocation> allocations = new LinkedHashMap<>(plan.allocations());
    groups.forEach(
        group -> allocations.computeIfPresent(group.name(), (name, now) -> now.withMoreSpare(1)));
    return new Plan(plan.hold(), plan.shared(), allocations);
  }
}
