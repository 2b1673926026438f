package io.elastune.planner.cluster;

import io.elastune.core.allocation.PlanFault;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TrialShape;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds the fastest plan of a fixed cluster of one offer. Groups follow one another and all
 * instances are held, so the size of each group is chosen by itself.
 */
final class FixedClusterSizes {
  private final Problem problem;
  private final PlanEvaluator evaluator;
  private final String offer;
  private final int instances;
  private final List<TrialShape> shapes;

  FixedClusterSizes(
      Problem problem, ChoiceSet choiceSet, OfferChoice choice, PlanEvaluator evaluator) {
    this.problem = problem;
    this.evaluator = evaluator;
    this.offer = choice.offer().name();
    this.instances = problem.cluster().orElseThrow().instances();
    this.shapes =
        choiceSet.trialShapes().stream()
            .filter(shape -> shape.offerChoice().equals(choice))
            .toList();
  }

  /** Returns the fastest plan; empty if the problem allows none. */
  Optional<Plan> fastest() {
    Optional<Plan> first = shapes.stream().map(this::equalSizes).filter(this::isLegal).findFirst();
    if (first.isEmpty() || problem.policy().choosesSizes()) {
      return first;
    }
    Plan best = first.get();
    for (TrialGroup group : problem.workload().groups()) {
      best = fastest(best, group.name());
    }
    return Optional.of(best);
  }

  /** Returns the plan with the fastest size of one group. */
  private Plan fastest(Plan plan, String group) {
    return shapes.stream()
        .map(shape -> with(plan, group, shape))
        .filter(this::isLegal)
        .min(Comparator.comparingDouble(one -> evaluator.evaluateByScreening(one).completionS()))
        .orElse(plan);
  }

  /** Returns the messages of the faults of the plan with the smallest size for all groups. */
  List<String> faults() {
    return shapes.stream()
        .limit(1)
        .flatMap(shape -> PlanRules.faults(problem, equalSizes(shape)).stream())
        .map(PlanFault::message)
        .distinct()
        .toList();
  }

  private boolean isLegal(Plan plan) {
    return PlanRules.faults(problem, plan).isEmpty();
  }

  private Plan equalSizes(TrialShape shape) {
    Map<String, Allocation> allocations = new TreeMap<>();
    problem.workload().groups().forEach(group -> allocations.put(group.name(), allocation(shape)));
    return new Plan(true, allocations);
  }

  private Plan with(Plan plan, String group, TrialShape shape) {
    Map<String, Allocation> allocations = new TreeMap<>(plan.allocations());
    allocations.put(group, allocation(shape));
    return new Plan(true, allocations);
  }

  private Allocation allocation(TrialShape shape) {
    return new Allocation(offer, instances, shape.gpusPerTrial(), shape.trialsPerGpu());
  }
}
