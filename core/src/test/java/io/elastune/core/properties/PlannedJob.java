package io.elastune.core.properties;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.function.UnaryOperator;

/** A job and a plan for it. */
public record PlannedJob(Problem problem, Plan plan) {
  /** Whether the plan is one that the job allows. */
  public boolean isLegal() {
    return PlanRules.faults(problem, plan).isEmpty();
  }

  /** The same plan for another problem. */
  public PlannedJob with(Problem other) {
    return new PlannedJob(other, plan);
  }

  /** Another plan for the same problem. */
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
