package io.elastune.core.properties;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.function.UnaryOperator;

/** A problem and a plan for it. */
public record PlannedJob(Problem problem, Plan plan) {
  /** Returns whether the problem allows the plan. */
  public boolean isLegal() {
    return PlanRules.faults(problem, plan).isEmpty();
  }

  /** Returns this plan with another problem. */
  public PlannedJob with(Problem other) {
    return new PlannedJob(other, plan);
  }

  /** Returns another plan with this problem. */
  public PlannedJob with(Plan other) {
    return new PlannedJob(problem, other);
  }

  PlannedJob with(String group, UnaryOperator<Allocation> change) {
    return with(plan.with(group, change.apply(plan.allocations().get(group))));
  }

  @Override
  public String toString() {
    return plan + "\n  for " + problem;
  }
}
