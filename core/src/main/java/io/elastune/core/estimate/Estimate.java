package io.elastune.core.estimate;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The sampled joint distribution of completion time and cost of a plan, in numbers.
 *
 * @param completionS seconds from the start of the plan to the end of its last group
 * @param costUsd dollars of the whole plan
 * @param onTime fraction of samples that end by the deadline; 1 without one
 * @param inBudget fraction of samples within the budget; empty without one
 * @param samples how many samples were drawn (1 when nothing varies)
 * @param samplingError how well that many samples determine the means
 * @param costBy mean cost by cause
 * @param groups by group, in the workload's order
 */
public record Estimate(
    Distribution completionS,
    Distribution costUsd,
    double onTime,
    OptionalDouble inBudget,
    int samples,
    SamplingError samplingError,
    CostBy costBy,
    List<GroupEstimate> groups) {
  public Estimate {
    groups = List.copyOf(groups);
  }
}
