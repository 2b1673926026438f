package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.inputs.CheckpointIntervals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** A trial group with its allocation, as part of several documents. */
public record PlannedGroup(
    @JsonPropertyDescription("Its name.") String group,
    @JsonPropertyDescription("Number of its trials; null if it depends on their metrics.")
        OptionalInt trials,
    @JsonPropertyDescription("Units that each trial trains; null if it depends on their metrics.")
        OptionalInt units,
    @JsonPropertyDescription("The offer.") String offer,
    @JsonPropertyDescription("Number of instances.") int instances,
    @JsonPropertyDescription("GPUs of each trial; null if the policy chooses them.")
        OptionalInt gpusPerTrial,
    @JsonPropertyDescription("Trials that share a GPU; null if the policy chooses them.")
        OptionalInt trialsPerGpu,
    @JsonPropertyDescription("Number of waves; null if trials do not run in waves.")
        OptionalInt waves,
    @KeyIfPresent @JsonPropertyDescription("Number of spare instances, if there are any.")
        Optional<Integer> spare,
    @KeyIfPresent
        @JsonPropertyDescription("Units between two checkpoints, if the plan decides on them.")
        Optional<Integer> checkpointEvery) {
  /** Returns the plan's groups with their allocations. */
  public static List<PlannedGroup> of(Problem problem, Plan plan) {
    Map<String, Integer> intervals = CheckpointIntervals.of(problem, plan);
    return of(
        problem.workload(),
        plan,
        name ->
            problem.offer(name).orElseThrow(() -> new IllegalStateException("no offer " + name)),
        intervals,
        problem.policy().choosesSizes());
  }

  /** Returns the groups of a plan without the intervals between their checkpoints. */
  public static List<PlannedGroup> of(
      Workload workload, Plan plan, Function<String, Offer> offers) {
    return of(workload, plan, offers, Map.of(), false);
  }

  private static List<PlannedGroup> of(
      Workload workload,
      Plan plan,
      Function<String, Offer> offers,
      Map<String, Integer> intervals,
      boolean choosesSizes) {
    boolean barrier = workload.rungs().isEmpty();
    return workload.groups().stream()
        .map(
            group -> {
              Allocation allocation = plan.of(group);
              Offer offer = offers.apply(allocation.offer());
              return new PlannedGroup(
                  group.name(),
                  only(barrier || isKnown(group), group.trials()),
                  only(barrier, group.units()),
                  allocation.offer(),
                  allocation.instances(),
                  only(!choosesSizes, allocation.gpusPerTrial()),
                  only(!choosesSizes, allocation.trialsPerGpu()),
                  waves(barrier && !choosesSizes, offer, allocation, group),
                  Optional.of(allocation.spare()).filter(spare -> spare > 0),
                  Optional.ofNullable(intervals.get(group.name())));
            })
        .toList();
  }

  /** Whether the number of trials of a phase of an asynchronous search is known. */
  private static boolean isKnown(TrialGroup group) {
    return group.name().equals(Workload.OPEN) && group.trials() < RungRule.UNLIMITED;
  }

  private static OptionalInt only(boolean known, int number) {
    return known ? OptionalInt.of(number) : OptionalInt.empty();
  }

  private static OptionalInt waves(
      boolean known, Offer offer, Allocation allocation, TrialGroup group) {
    return known
        ? OptionalInt.of(SlotCounts.waves(offer, allocation, group.trials()))
        : OptionalInt.empty();
  }
}
