package io.elastune.plan.api;

import io.elastune.plan.estimate.CaseResult;
import io.elastune.plan.json.PlannedGroup;
import io.elastune.planner.api.PlanResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The answer to one of the compared cases.
 *
 * @param places the locations of its offers
 * @param market its market
 * @param deadlineSeconds its deadline in seconds, if there is one
 * @param budgetUsd its budget in US dollars, if there is one
 * @param groups the plan; empty if none meets the limits
 * @param estimate the predicted completion time and cost; empty if no plan meets the limits
 * @param nearestDeadlineSeconds a deadline that a plan meets, if none meets the given one
 * @param nearestBudgetUsd a budget that a plan meets, if none meets the given one
 * @param mostTrials how many trials fit the limits, about, if that was found
 */
public record CaseEstimate(
    List<String> places,
    String market,
    OptionalDouble deadlineSeconds,
    OptionalDouble budgetUsd,
    List<GroupPlan> groups,
    Optional<PlanEstimate> estimate,
    OptionalDouble nearestDeadlineSeconds,
    OptionalDouble nearestBudgetUsd,
    OptionalInt mostTrials) {
  public CaseEstimate {
    places = List.copyOf(places);
    groups = List.copyOf(groups);
  }

  static CaseEstimate of(CaseResult result) {
    Optional<PlanResult.Nearest> nearest =
        result
            .plan()
            .filter(PlanResult.Infeasible.class::isInstance)
            .map(plan -> ((PlanResult.Infeasible) plan).nearest());
    return new CaseEstimate(
        result.inputs().job().value().resources().infra(),
        result.inputs().job().value().resources().market().word(),
        result.deadlineS(),
        result.budgetUsd(),
        result
            .found()
            .map(
                found ->
                    GroupPlan.of(
                        PlannedGroup.of(result.inputs().problem().orElseThrow(), found.plan())))
            .orElse(List.of()),
        result.found().map(found -> PlanEstimate.of(found.estimate())),
        nearest.map(PlanResult.Nearest::deadlineS).orElse(OptionalDouble.empty()),
        nearest.map(PlanResult.Nearest::budgetUsd).orElse(OptionalDouble.empty()),
        result.mostTrials());
  }
}
