package io.elastune.cli.text;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares a plan that has spare instances with the same plan without them, with the same random
 * numbers.
 *
 * @param groups the groups with spare instances
 * @param with the estimate of the plan
 * @param without the estimate without spare instances
 */
public record SpareComparison(List<String> groups, Estimate with, Estimate without) {
  public SpareComparison {
    groups = List.copyOf(groups);
  }

  /** Returns whether there is something to compare. */
  static boolean exists(Problem problem, Plan plan) {
    return !groups(problem, plan).isEmpty();
  }

  private static List<String> groups(Problem problem, Plan plan) {
    return problem.workload().groups().stream()
        .filter(group -> plan.of(group).spare() > 0)
        .map(TrialGroup::name)
        .toList();
  }

  /** Returns the comparison, or nothing if the plan has no spare instance. */
  public static Optional<SpareComparison> of(
      Problem problem, Plan plan, PlanFigures figures, NoteSampling sampling) {
    List<String> groups = groups(problem, plan);
    return groups.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SpareComparison(
                groups,
                figures.compared(sampling),
                figures.other(problem, without(plan), sampling)));
  }

  /** Returns the mean cost in USD of the spare instances. */
  public double usd() {
    return with.costUsd().mean() - without.costUsd().mean();
  }

  /** Returns one line about what the spare instances gain and cost. */
  public String line() {
    return "spare instance in %s %s: on time %s, for %s%s"
        .formatted(
            groups.size() == 1 ? "group" : "groups",
            String.join(", ", groups),
            PercentFormat.instead(with.onTime(), without.onTime()),
            UsdFormat.format(Math.abs(usd())),
            usd() < 0 ? " less" : "");
  }

  private static Plan without(Plan plan) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    plan.allocations()
        .forEach((group, now) -> allocations.put(group, now.withMoreSpare(-now.spare())));
    return new Plan(plan.hold(), plan.shared(), allocations);
  }
}
