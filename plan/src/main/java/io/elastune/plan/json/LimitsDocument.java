package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.planner.api.PlanResult;
import java.util.OptionalDouble;

/** A deadline and a budget, as part of several documents. */
public record LimitsDocument(
    @JsonPropertyDescription("The deadline in seconds, if there is one.") OptionalDouble deadlineS,
    @JsonPropertyDescription("The budget in USD, if there is one.") OptionalDouble budgetUsd) {
  /** Returns the nearest limits that a plan meets. */
  public static LimitsDocument of(PlanResult.Nearest nearest) {
    return new LimitsDocument(nearest.deadlineS(), nearest.budgetUsd());
  }
}
