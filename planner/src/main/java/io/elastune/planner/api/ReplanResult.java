package io.elastune.planner.api;

import io.elastune.core.plan.Plan;

/**
 * A plan for the remaining groups of a run, with its forecast.
 *
 * @param plan an allocation for every remaining group
 * @param completionS seconds from the start of the run within which it completes: with the required
 *     confidence if there is a deadline, else in the mean
 * @param costUsd mean dollars of the run as a whole
 * @param onTime whether it meets the deadline
 * @param inBudget whether {@code costUsd} is within the budget
 */
public record ReplanResult(
    Plan plan, double completionS, double costUsd, boolean onTime, boolean inBudget) {}
