package io.elastune.plan.estimate;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.elastune.inputs.AssumedTraining;
import io.elastune.inputs.UnitTime;
import io.elastune.plan.json.EstimateDocument;
import io.elastune.plan.json.KeyIfPresent;
import io.elastune.plan.json.LimitsDocument;
import io.elastune.plan.json.PlannedGroup;
import io.elastune.planner.api.PlanResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The document of {@code estimate --json}. */
public record ComparisonDocument(
    @JsonPropertyDescription("The name of the job.") String job,
    @JsonPropertyDescription("The assumed training times.") Assumed assumed,
    @JsonPropertyDescription("One prediction for each case.") List<Case> estimates) {
  /** The assumed training times. */
  record Assumed(
      @JsonPropertyDescription("The time of a unit by GPU model.") List<UnitTime> unitTimes,
      @JsonPropertyDescription("The speedups by number of GPUs.") List<Speedup> speedups,
      @JsonPropertyDescription("Seconds from the start of an attempt to its first unit, if given.")
          OptionalDouble startupS,
      @JsonPropertyDescription("Coefficient of variation of the speed of trials.")
          double trialCv) {}

  /** The time of a unit on one GPU. */
  record UnitTime(String gpu, double seconds) {}

  /** The speedup against one GPU. */
  record Speedup(int gpus, double speedup) {}

  /** The prediction for one case. */
  record Case(
      @JsonPropertyDescription("The places of its offers.") List<String> infra,
      @JsonPropertyDescription("Its market.") String market,
      @JsonUnwrapped LimitsDocument limits,
      @JsonPropertyDescription("Whether a plan meets the limits.") boolean feasible,
      @JsonPropertyDescription("The plan; empty if none meets the limits.") List<PlannedGroup> plan,
      @JsonPropertyDescription("The predicted time and cost of the plan, if there is one.")
          Optional<EstimateDocument> estimate,
      @JsonPropertyDescription("The nearest limits that a plan meets, if none meets the limits.")
          Optional<LimitsDocument> nearest,
      @KeyIfPresent
          @JsonPropertyDescription("How many trials fit the limits, about, if that was found.")
          Optional<Integer> mostTrials) {
    static Case of(CaseResult result) {
      return new Case(
          result.inputs().job().value().resources().infra(),
          result.inputs().job().value().resources().market().word(),
          new LimitsDocument(result.deadlineS(), result.budgetUsd()),
          result.found().isPresent(),
          result
              .found()
              .map(found -> PlannedGroup.of(result.inputs().problem().orElseThrow(), found.plan()))
              .orElse(List.of()),
          result.found().map(found -> EstimateDocument.of(found.estimate())),
          nearest(result).map(LimitsDocument::of),
          result.mostTrials().stream().boxed().findFirst());
    }

    private static Optional<PlanResult.Nearest> nearest(CaseResult result) {
      return result
          .plan()
          .flatMap(
              plan ->
                  plan.match(
                      found -> Optional.empty(),
                      infeasible -> Optional.of(infeasible.nearest()),
                      none -> Optional.empty()));
    }
  }

  /** Returns the document. */
  public static ComparisonDocument of(AssumedTraining training, List<CaseResult> results) {
    return new ComparisonDocument(
        results.get(0).inputs().job().value().name(),
        new Assumed(
            training.unitTimes().stream()
                .map(time -> new UnitTime(time.gpu(), time.seconds()))
                .toList(),
            training.speedups().entrySet().stream()
                .map(entry -> new Speedup(entry.getKey(), entry.getValue()))
                .toList(),
            training.startupS(),
            training.trialCv()),
        results.stream().map(Case::of).toList());
  }
}
