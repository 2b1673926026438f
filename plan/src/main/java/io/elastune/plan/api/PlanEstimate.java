package io.elastune.plan.api;

import io.elastune.core.estimate.Estimate;
import java.util.OptionalDouble;

/**
 * The predicted completion time and cost of a plan.
 *
 * @param completionSeconds seconds from the start of the plan to its end
 * @param costUsd its cost in US dollars
 * @param probabilityOnTime the probability to meet the deadline; 1 without a deadline
 * @param probabilityInBudget the probability to stay within the budget; empty without one
 * @param probabilityWithoutResult the probability that the search ends, at its stop.time or
 *     deadline, before any trial has a result
 * @param samples the number of samples; 1 if nothing varies
 */
public record PlanEstimate(
    PlanQuantity completionSeconds,
    PlanQuantity costUsd,
    double probabilityOnTime,
    OptionalDouble probabilityInBudget,
    double probabilityWithoutResult,
    int samples) {
  static PlanEstimate of(Estimate estimate) {
    return new PlanEstimate(
        PlanQuantity.of(estimate.completionS()),
        PlanQuantity.of(estimate.costUsd()),
        estimate.onTime(),
        estimate.inBudget(),
        estimate.withoutResult(),
        estimate.samples());
  }
}
