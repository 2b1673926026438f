package io.elastune.planner;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
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
record Choices(List<Plan> fastestFirst, int onTime, int overBudget) {
  Choices {
    fastestFirst = List.copyOf(fastestFirst);
  }

  /** Returns all plans of a frontier. */
  static Choices of(Front<Outline> front, Function<Outline, Plan> plan, Limits limits) {
    double budgetUsd = limits.budgetUsd().orElse(Double.POSITIVE_INFINITY);
    List<Outline> items = front.items();
    return new Choices(
        items.stream().map(plan).toList(),
        front.by(limits.deadlineS().orElse(Double.POSITIVE_INFINITY)),
        (int) items.stream().filter(outline -> outline.costUsd() > budgetUsd).count());
  }
}
