package io.elastune.planner;

import io.elastune.core.plan.Plan;

/**
 * A plan for the rest of a run.
 *
 * @param plan an allocation for every group that is left
 * @param completionS seconds from the start of the run within which it is done: with the confidence
 *     asked for where there is a deadline, else in the mean
 * @param costUsd mean dollars of the run as a whole
 * @param onTime whether it keeps the deadline
 * @param inBudget whether that is at most the budget
 */
public record Replan(
    Plan plan, double completionS, double costUsd, boolean onTime, boolean inBudget) {}
