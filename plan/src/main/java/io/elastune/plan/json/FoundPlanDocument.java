package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Preference;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.SpotComparison;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The document of {@code plan --json} for a plan that meets the limits. */
public record FoundPlanDocument(
    @JsonUnwrapped PlanHeading heading,
    @JsonPropertyDescription("Its number on the frontier; null if it is not part of it.")
        OptionalInt choice,
    @JsonPropertyDescription(
            "The preference by which plans are chosen: cheapest, balanced, fastest, or an object"
                + " with hour_worth_usd.")
        Object prefer,
    @KeyIfPresent @JsonPropertyDescription("How several brackets use instances.")
        Optional<String> brackets,
    @JsonPropertyDescription("The trial groups with their allocations.") List<PlannedGroup> plan,
    @JsonPropertyDescription("The predicted time and cost.") EstimateDocument estimate,
    @JsonPropertyDescription(
            "The spending guard in USD; null with a budget, and if nothing is charged.")
        OptionalDouble spendingGuardUsd,
    @KeyIfPresent @JsonPropertyDescription("Spot capacity against the same plan on demand.")
        Optional<Spot> spot,
    @KeyIfPresent
        @JsonPropertyDescription("Asynchronous search: mean seconds until no new trial starts.")
        Optional<Double> closingS,
    @KeyIfPresent @JsonPropertyDescription("Asynchronous search: its rungs from the lowest.")
        Optional<List<RungsDocument.Rung>> rungs,
    @KeyIfPresent
        @JsonPropertyDescription(
            "With a policy: how often it ends running trials after a checkpoint, if predicted.")
        Optional<StopsDocument> stops,
    @JsonPropertyDescription("Simple plans to compare with.")
        List<ComparedPlans.SimplePlan> baselines,
    @JsonPropertyDescription("How near the plan is to the cheapest one.") OptimumDocument optimum,
    @JsonPropertyDescription("The plan with the best compromise of time and cost, if any.")
        Optional<KneeDocument> knee,
    @JsonPropertyDescription("With --frontier: the plans of the time-cost frontier.")
        List<ComparedPlans.Choice> frontier,
    @JsonUnwrapped PlanProvenance provenance,
    @JsonPropertyDescription("The numbers that are assumed and not measured.") List<String> assumed,
    @JsonPropertyDescription("Remarks of the planner.") List<String> remarks) {
  /** What spot capacity saves and risks. */
  record Spot(
      @JsonPropertyDescription("Saved mean cost in USD.") double savedUsd,
      @JsonPropertyDescription("Saved fraction of the mean cost.") double savedShare,
      @JsonPropertyDescription("Probability to meet the deadline.") double onTime,
      @JsonPropertyDescription("The same with capacity on demand.") double onTimeOnDemand,
      @JsonPropertyDescription("Expected preemptions per hour.") double preemptionsPerHour) {
    static Spot of(SpotComparison comparison) {
      return new Spot(
          comparison.savedUsd(),
          comparison.savedShare(),
          comparison.spot().onTime(),
          comparison.onDemand().onTime(),
          comparison.preemptionsPerHour());
    }
  }

  /** Bounds of the cost of the cheapest plan. */
  record OptimumDocument(
      @JsonPropertyDescription("Cost of the cheapest plan of the search space in USD.")
          double costUsd,
      @JsonPropertyDescription("Relative difference of the plan to it.") double gap,
      @JsonPropertyDescription("A bound that no plan can go below, in USD.") double boundUsd,
      @JsonPropertyDescription("Whether the search was complete.") boolean proven) {
    static OptimumDocument of(Optimum optimum) {
      return new OptimumDocument(
          optimum.costUsd(), optimum.gap(), optimum.boundUsd(), optimum.proven());
    }
  }

  /** The knee of the frontier, with the differences to the planner's own plan. */
  record KneeDocument(
      @JsonPropertyDescription("Its number on the frontier.") int choice,
      @JsonPropertyDescription("Mean completion time in seconds.") double completionS,
      @JsonPropertyDescription("Mean cost in USD.") double costUsd,
      @JsonPropertyDescription("Seconds by which it completes earlier.") double savedS,
      @JsonPropertyDescription("Additional cost in USD.") double extraUsd) {
    static KneeDocument of(FoundPlan answer, FrontierPoint knee) {
      Estimate own = answer.best().orElse(answer.found()).estimate();
      return new KneeDocument(
          answer.number(knee.plan()).orElseThrow(),
          knee.completionS(),
          knee.costUsd(),
          own.completionS().mean() - knee.completionS(),
          knee.costUsd() - own.costUsd().mean());
    }
  }

  /** Returns the document. */
  public static FoundPlanDocument of(FoundPlan answer, boolean withFrontier) {
    PlanResult.Found found = answer.found();
    Problem problem = answer.problem();
    Optional<RungsDocument> rungs = rungs(answer);
    return new FoundPlanDocument(
        PlanHeading.of(answer.inputs(), true, found.plan().hold()),
        answer.choice(),
        prefer(answer.selection().preference()),
        ComparedPlans.brackets(problem, found.plan()),
        PlannedGroup.of(problem, found.plan()),
        EstimateDocument.of(found.estimate()),
        answer.figures().spendingGuardUsd(),
        answer.figures().spot().map(Spot::of),
        rungs.map(RungsDocument::closingS),
        rungs.map(RungsDocument::rungs),
        answer.figures().stops().map(StopsDocument::of),
        ComparedPlans.baselines(found.baselines()),
        OptimumDocument.of(found.optimum()),
        answer.knee().map(knee -> KneeDocument.of(answer, knee)),
        ComparedPlans.frontier(problem, withFrontier ? found.frontier() : List.of()),
        PlanProvenance.of(answer.inputs()),
        answer.assumed().names(found.plan()),
        found.remarks());
  }

  private static Object prefer(Preference preference) {
    return preference.rule() == Preference.Rule.HOUR_WORTH
        ? Map.of("hour_worth_usd", preference.hourWorthUsd())
        : preference.text();
  }

  /** Returns the expected tasks of each rung of an asynchronous search, and when it closes. */
  private static Optional<RungsDocument> rungs(FoundPlan answer) {
    return answer.problem().workload().rungs().isPresent()
        ? Optional.of(
            RungsDocument.of(
                answer.problem(), answer.found().estimate(), answer.figures().rungTasks()))
        : Optional.empty();
  }
}
