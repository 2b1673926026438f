package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.inputs.Inputs;

/** The beginning of the documents of {@code plan}. */
record PlanHeading(
    @JsonPropertyDescription("The name of the job.") String job,
    @JsonPropertyDescription("Whether the plan meets the limits.") boolean feasible,
    @JsonPropertyDescription("Whether instances are kept until the end of the run.") boolean hold,
    @JsonPropertyDescription("The policy that distributes GPUs among trials.") String policy) {
  static PlanHeading of(Inputs inputs, boolean feasible, boolean hold) {
    return new PlanHeading(
        inputs.job().value().name(), feasible, hold, inputs.job().value().policy().word());
  }
}
