package io.elastune.planner;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import java.util.List;
import java.util.function.Function;

/**
 * Plans to choose among: a frontier, by the search's own reckoning.
 *
 * @param fastestFirst the plans, each slower and cheaper than the one before
 * @param onTime how many of them, from the first, may keep the deadline
 * @param overBudget how many of them, from the first, may break the budget
 */
record Choices(List<Plan> fastestFirst, int onTime, int overBudget) {
  Choices {
    fastestFirst = List.copyOf(fastestFirst);
  }

  /** All of a frontier. */
  static Choices of(Front<Outline> front, Function<Outline, Plan> plan, Limits limits) {
    double budgetUsd = limits.budgetUsd().orElse(Double.POSITIVE_INFINITY);
    List<Outline> items = front.items();
    return new Choices(
        items.stream().map(plan).toList(),
        front.by(limits.deadlineS().orElse(Double.POSITIVE_INFINITY)),
        (int) items.stream().filter(outline -> outline.costUsd() > budgetUsd).count());
  }
}
