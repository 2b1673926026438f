package io.elastune.planner.evaluate;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.model.ParetoFront;
import java.util.List;
import java.util.function.Function;

/**
 * The plans of a frontier by the estimate of the search, in the order in which limits change from
 * missed to met.
 *
 * @param fastestFirst the plans, each slower and cheaper than the one before
 * @param onTime how many of them, from the first, may meet the deadline
 * @param overBudget how many of them, from the first, may exceed the budget
 */
public record FrontierCandidates(List<Plan> fastestFirst, int onTime, int overBudget) {
  public FrontierCandidates {
    fastestFirst = List.copyOf(fastestFirst);
  }

  /** Returns all plans of a frontier. */
  public static FrontierCandidates of(
      ParetoFront<JobCandidate> paretoFront, Function<JobCandidate, Plan> plan, Limits limits) {
    double budgetUsd = limits.budgetUsd().orElse(Double.POSITIVE_INFINITY);
    List<JobCandidate> items = paretoFront.items();
    return new FrontierCandidates(
        items.stream().map(plan).toList(),
        paretoFront.countWithin(limits.deadlineOrInfinityS()),
        (int) items.stream().filter(jobCandidate -> jobCandidate.costUsd() > budgetUsd).count());
  }
}
