package io.elastune.plan.estimate;

import io.elastune.inputs.Inputs;
import io.elastune.planner.api.PlanResult;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The answer to one case.
 *
 * @param asked the case
 * @param inputs the job with the offers of the case
 * @param plan the result of the planner; empty if no offer has a GPU model with a known time
 * @param mostTrials how many trials fit the limits of the case; empty if that is unknown
 */
public record CaseResult(
    EstimateCase asked, Inputs inputs, Optional<PlanResult> plan, OptionalInt mostTrials) {
  /** Creates an answer without the number of trials. */
  CaseResult(EstimateCase asked, Inputs inputs, Optional<PlanResult> plan) {
    this(asked, inputs, plan, OptionalInt.empty());
  }

  /** Returns it with the number of trials that fit the limits. */
  CaseResult withMostTrials(OptionalInt trials) {
    return new CaseResult(asked, inputs, plan, trials);
  }

  /** Returns the seconds until the deadline of the case. */
  public OptionalDouble deadlineS() {
    return inputs
        .job()
        .value()
        .deadline()
        .map(deadline -> OptionalDouble.of(deadline.secondsFrom(inputs.at())))
        .orElse(OptionalDouble.empty());
  }

  /** Returns the budget of the case in USD. */
  public OptionalDouble budgetUsd() {
    return inputs
        .job()
        .value()
        .budget()
        .map(budget -> OptionalDouble.of(budget.usd()))
        .orElse(OptionalDouble.empty());
  }

  /** Returns the plan, if one meets the limits of the case. */
  public Optional<PlanResult.Found> found() {
    return plan.flatMap(
        result ->
            result.match(Optional::of, infeasible -> Optional.empty(), none -> Optional.empty()));
  }
}
