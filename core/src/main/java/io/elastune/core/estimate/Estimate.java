package io.elastune.core.estimate;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The estimate of a plan: a summary of the sampled joint distribution of completion time and cost.
 *
 * @param completionS seconds from the start of the plan to the end of its last group
 * @param costUsd cost of the whole plan in USD
 * @param onTime fraction of samples that complete by the deadline with a result; 1 without a
 *     deadline
 * @param inBudget fraction of samples within the budget; empty without a budget
 * @param withoutResult fraction of samples in which the search ends at its time before any trial
 *     has a result
 * @param samples number of samples (1 when nothing varies)
 * @param samplingError standard errors of the means
 * @param costBy mean cost by category
 * @param groups one entry per group, in the order of the workload
 */
public record Estimate(
    Distribution completionS,
    Distribution costUsd,
    double onTime,
    OptionalDouble inBudget,
    double withoutResult,
    int samples,
    SamplingError samplingError,
    CostBreakdown costBy,
    List<GroupEstimate> groups) {
  public Estimate {
    groups = List.copyOf(groups);
  }
}
