package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.search.TraceEvent;
import io.elastune.simulator.Contributions;
import io.elastune.simulator.sample.PolicyStops;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The document of {@code simulate --json}. */
public record SimulationDocument(
    @JsonPropertyDescription("The predicted time and cost.") EstimateDocument estimate,
    @JsonPropertyDescription("The trial groups in the order of the plan.") List<Group> groups,
    @JsonPropertyDescription(
            "The spending guard in USD; null with a budget, and if nothing is charged.")
        OptionalDouble spendingGuardUsd,
    @KeyIfPresent
        @JsonPropertyDescription("Asynchronous search: mean seconds until no new trial starts.")
        Optional<Double> closingS,
    @KeyIfPresent @JsonPropertyDescription("Asynchronous search: its rungs from the lowest.")
        Optional<List<RungsDocument.Rung>> rungs,
    @KeyIfPresent
        @JsonPropertyDescription(
            "With a policy: how often it ends running trials after a checkpoint, if predicted.")
        Optional<StopsDocument> stops,
    @KeyIfPresent @JsonPropertyDescription("How each group contributes to the completion time.")
        Optional<List<Contributions.GroupTime>> completionBy,
    @KeyIfPresent
        @JsonPropertyDescription("What would complete the run earlier, the largest saving first.")
        Optional<List<Saving>> wouldHelp,
    @KeyIfPresent @JsonPropertyDescription("With --trace: the events of the first sample.")
        Optional<List<TraceEntry>> trace) {
  /** One trial group. */
  record Group(
      @JsonPropertyDescription("Its name.") String group,
      @JsonPropertyDescription("Seconds from the start of the run to its end.") End endS,
      @JsonPropertyDescription("Its mean cost in USD.") double costUsd) {
    static Group of(GroupEstimate group) {
      return new Group(
          group.group(),
          new End(group.endS().mean(), group.endS().p50(), group.endS().p95()),
          group.costUsd().mean());
    }
  }

  /** The distribution of the end of a group. */
  record End(double mean, double p50, double p95) {}

  /** The saving from removing one cause of delay. */
  record Saving(
      @JsonPropertyDescription("The cause.") String cause,
      @JsonPropertyDescription("Seconds by which the run would complete earlier.")
          double soonerS) {}

  /** Returns the document of a prediction; parts that do not apply are empty. */
  public static SimulationDocument of(
      Estimate estimate,
      OptionalDouble spendingGuardUsd,
      Optional<RungsDocument> rungs,
      Optional<PolicyStops> stops,
      Optional<Contributions> contributions,
      List<TraceEvent> trace) {
    return new SimulationDocument(
        EstimateDocument.of(estimate),
        estimate.groups().stream().map(Group::of).toList(),
        spendingGuardUsd,
        rungs.map(RungsDocument::closingS),
        rungs.map(RungsDocument::rungs),
        stops.map(StopsDocument::of),
        contributions.map(Contributions::byGroup),
        contributions.map(
            some ->
                some.wouldHelp().stream()
                    .map(saving -> new Saving(saving.cause().word(), saving.soonerS()))
                    .toList()),
        trace.isEmpty()
            ? Optional.empty()
            : Optional.of(trace.stream().map(TraceEntry::of).toList()));
  }
}
