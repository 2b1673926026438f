package io.elastune.cli.input;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.PlanResult;

/**
 * A plan that was found, with its inputs.
 *
 * @param inputs the loaded files
 * @param problem the planner's problem
 * @param found the plan, its estimate and its baselines
 */
public record FoundPlan(Inputs inputs, Problem problem, PlanResult.Found found) {
  /** Returns which of its numbers were not measured. */
  public AssumedNumbers assumed() {
    return new AssumedNumbers(problem);
  }

  /** Returns a cheaper and a faster plan, if there are any. */
  public Alternatives alternatives() {
    return Alternatives.of(problem, found);
  }
}
