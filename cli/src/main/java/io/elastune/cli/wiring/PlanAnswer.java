package io.elastune.cli.wiring;

import io.elastune.core.plan.Problem;
import io.elastune.planner.PlanResult;

/**
 * A plan that was found, with all that it was made from.
 *
 * @param inputs the files
 * @param problem what was to be planned
 * @param found the plan, its estimate and what it is compared with
 */
public record PlanAnswer(Inputs inputs, Problem problem, PlanResult.Found found) {
  /** Which numbers of it were not measured here. */
  public Assumed assumed() {
    return new Assumed(problem);
  }

  /** What else could be had. */
  public Alternatives alternatives() {
    return Alternatives.of(problem, found);
  }
}
