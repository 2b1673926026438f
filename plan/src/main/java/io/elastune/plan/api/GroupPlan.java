package io.elastune.plan.api;

import io.elastune.plan.json.PlannedGroup;
import java.util.List;
import java.util.OptionalInt;

/**
 * The instances of one trial group.
 *
 * @param group its name
 * @param trials the number of its trials; empty if it depends on their metrics
 * @param units the units that each trial trains; empty if that depends on their metrics
 * @param offer the offer, e.g. {@code aws/us-east-1/p3.8xlarge/on-demand}
 * @param instances the number of instances
 * @param gpusPerTrial the GPUs of each trial; empty if the policy chooses them
 * @param trialsPerGpu the trials that share a GPU; empty if the policy chooses them
 */
public record GroupPlan(
    String group,
    OptionalInt trials,
    OptionalInt units,
    String offer,
    int instances,
    OptionalInt gpusPerTrial,
    OptionalInt trialsPerGpu) {
  static List<GroupPlan> of(List<PlannedGroup> groups) {
    return groups.stream()
        .map(
            one ->
                new GroupPlan(
                    one.group(),
                    one.trials(),
                    one.units(),
                    one.offer(),
                    one.instances(),
                    one.gpusPerTrial(),
                    one.trialsPerGpu()))
        .toList();
  }
}
