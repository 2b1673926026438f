package io.elastune.plan.api;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The plan that a job prefers among those that meet its limits.
 *
 * @param groups the instances of each trial group
 * @param estimate the predicted completion time and cost
 * @param spendingGuardUsd the cost at which a run without a budget asks; empty with a budget, and
 *     if nothing is charged
 * @param assumed the numbers that were assumed and not measured; a prediction from them is one if
 *     they are right
 * @param remarks what the planner could not prove
 * @param notes what is noteworthy about the inputs
 * @param json the document of {@code elastune plan --json}
 * @param planFile a plan file, for {@link Plans#simulate} and {@code elastune simulate}
 */
public record BestPlan(
    List<GroupPlan> groups,
    PlanEstimate estimate,
    OptionalDouble spendingGuardUsd,
    List<String> assumed,
    List<String> remarks,
    List<String> notes,
    String json,
    String planFile) {
  public BestPlan {
    groups = List.copyOf(groups);
    assumed = List.copyOf(assumed);
    remarks = List.copyOf(remarks);
    notes = List.copyOf(notes);
  }

  /** Returns the mean completion time in seconds. */
  public double completionSeconds() {
    return estimate.completionSeconds().mean();
  }

  /** Returns the mean cost in US dollars. */
  public double costUsd() {
    return estimate.costUsd().mean();
  }
}
