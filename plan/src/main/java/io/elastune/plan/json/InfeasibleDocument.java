package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.elastune.inputs.AssumedNumbers;
import io.elastune.inputs.Inputs;
import io.elastune.planner.api.LimitViolation;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.SampledPlans;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The document of {@code plan --json} for a job whose limits no plan meets. */
public record InfeasibleDocument(
    @JsonUnwrapped PlanHeading heading,
    @JsonPropertyDescription("Empty.") List<PlannedGroup> plan,
    @JsonPropertyDescription("The limits that cannot be met.") List<String> violated,
    @JsonPropertyDescription("By how much the best plan fails; null for a limit that it meets.")
        LimitsDocument failsBy,
    @JsonPropertyDescription("The nearest limits that a plan meets.") NearestDocument nearest,
    @JsonPropertyDescription("Null.") Optional<EstimateDocument> estimate,
    @JsonPropertyDescription("Simple plans to compare with.")
        List<ComparedPlans.SimplePlan> baselines,
    @JsonPropertyDescription("Null.") Optional<FoundPlanDocument.OptimumDocument> optimum,
    @JsonPropertyDescription("With --frontier: the plans of the time-cost frontier.")
        List<ComparedPlans.Choice> frontier,
    @JsonUnwrapped PlanProvenance provenance,
    @JsonPropertyDescription("The numbers that are assumed and not measured.") List<String> assumed,
    @JsonPropertyDescription("Remarks of the planner.") List<String> remarks) {
  /** Nearest limits. */
  record NearestDocument(
      @JsonUnwrapped LimitsDocument limits,
      @JsonPropertyDescription("Whether both limits must be relaxed.") boolean together,
      @JsonPropertyDescription("The most trials that meet the limits, if known.")
          OptionalInt trials) {}

  /**
   * Returns the document.
   *
   * @param trials the most trials that meet the limits, if known
   */
  public static InfeasibleDocument of(
      Inputs inputs, PlanResult.Infeasible result, boolean withFrontier, OptionalInt trials) {
    return new InfeasibleDocument(
        PlanHeading.of(inputs, false, false),
        List.of(),
        result.violated().stream().map(violation -> violation.limit().word()).toList(),
        new LimitsDocument(
            by(result, LimitViolation.Limit.DEADLINE), by(result, LimitViolation.Limit.BUDGET)),
        new NearestDocument(
            LimitsDocument.of(result.nearest()), result.nearest().together(), trials),
        Optional.empty(),
        ComparedPlans.baselines(result.baselines()),
        Optional.empty(),
        inputs
            .problem()
            .filter(problem -> withFrontier)
            .map(problem -> ComparedPlans.frontier(problem, result.frontier()))
            .orElse(List.of()),
        PlanProvenance.of(inputs),
        assumed(inputs, result),
        result.remarks());
  }

  /** Returns the document without a frontier. */
  public static InfeasibleDocument of(Inputs inputs, PlanResult.Infeasible result) {
    return of(inputs, result, false, OptionalInt.empty());
  }

  /** Returns the document for a job with a group that no offer can hold. */
  public static InfeasibleDocument of(Inputs inputs, PlanResult.Impossible result) {
    PlanResult.Nearest nowhere =
        new PlanResult.Nearest(OptionalDouble.empty(), OptionalDouble.empty(), true);
    return of(
        inputs,
        new PlanResult.Infeasible(
            List.of(),
            nowhere,
            List.of(),
            List.of(),
            result.reason().lines().toList(),
            SampledPlans.NONE));
  }

  /** Returns the assumed numbers of all plans on the frontier. */
  private static List<String> assumed(Inputs inputs, PlanResult.Infeasible result) {
    return inputs.problem().stream()
        .map(problem -> new AssumedNumbers(inputs, problem))
        .flatMap(
            numbers -> result.frontier().stream().flatMap(p -> numbers.names(p.plan()).stream()))
        .distinct()
        .toList();
  }

  private static OptionalDouble by(PlanResult.Infeasible result, LimitViolation.Limit limit) {
    return result.violated().stream()
        .filter(violation -> violation.limit() == limit)
        .mapToDouble(LimitViolation::increase)
        .findFirst();
  }
}
