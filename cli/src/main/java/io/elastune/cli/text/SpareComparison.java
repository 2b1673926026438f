package io.elastune.cli.text;

import io.elastune.cli.input.NoteSampling;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
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
  private static final int SAMPLES = 4096;

  public SpareComparison {
    groups = List.copyOf(groups);
  }

  /** Returns the number of samples that the comparison takes. */
  static int samples(Problem problem, Plan plan) {
    return groups(problem, plan).isEmpty() ? 0 : 2 * SAMPLES;
  }

  private static List<String> groups(Problem problem, Plan plan) {
    return problem.workload().groups().stream()
        .filter(group -> plan.of(group).spare() > 0)
        .map(TrialGroup::name)
        .toList();
  }

  /** Returns the comparison, or nothing if the plan has no spare instance. */
  public static Optional<SpareComparison> of(Problem problem, Plan plan, NoteSampling sampling) {
    List<String> groups = groups(problem, plan);
    return groups.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SpareComparison(
                groups,
                sampling.estimate(problem, plan, SAMPLES),
                sampling.estimate(problem, without(plan), SAMPLES)));
  }

  /** Returns the mean cost in USD of the spare instances. */
  public double usd() {
    return with.costUsd().mean() - without.costUsd().mean();
  }

  /** Returns one line about what the spare instances gain and cost. */
  public String line() {
    return "spare instance in %s %s: on time %s instead of %s, for %s%s"
        .formatted(
            groups.size() == 1 ? "group" : "groups",
            String.join(", ", groups),
            PercentFormat.probability(with.onTime()),
            PercentFormat.probability(without.onTime()),
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
