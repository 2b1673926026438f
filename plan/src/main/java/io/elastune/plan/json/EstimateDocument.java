package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.estimate.CostBreakdown;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.SamplingError;
import java.util.OptionalDouble;

/** The predicted time and cost of a plan, as part of several documents. */
public record EstimateDocument(
    @JsonPropertyDescription("Seconds from the start of the run to the end of its last group.")
        Distribution completionS,
    @JsonPropertyDescription("Cost of the run in USD.") Distribution costUsd,
    @JsonPropertyDescription("Probability to meet the deadline; 1 without a deadline.")
        double onTime,
    @JsonPropertyDescription("Probability to stay within the budget; null without a budget.")
        OptionalDouble inBudget,
    @JsonPropertyDescription("Number of samples of the simulation.") int samples,
    @JsonPropertyDescription("Standard errors of the means, from the number of samples.")
        SamplingError samplingError,
    @JsonPropertyDescription("The mean cost in USD by cause.") CostBreakdown costBy,
    @KeyIfPresent
        @JsonPropertyDescription(
            "Probability that the search ends, at its stop.time or deadline, before any trial has a"
                + " result.")
        OptionalDouble withoutResult) {
  /** Returns the document of an estimate. */
  public static EstimateDocument of(Estimate estimate) {
    return new EstimateDocument(
        estimate.completionS(),
        estimate.costUsd(),
        estimate.onTime(),
        estimate.inBudget(),
        estimate.samples(),
        estimate.samplingError(),
        estimate.costBy(),
        estimate.withoutResult() > 0
            ? OptionalDouble.of(estimate.withoutResult())
            : OptionalDouble.empty());
  }
}
