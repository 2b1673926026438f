package io.elastune.planner.evaluate;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.model.SearchParameters;
import java.util.function.BooleanSupplier;

/**
 * What a search for a plan depends on.
 *
 * @param timeLimitReached ends the search soon after it is true
 * @param progress receives the progress of each phase
 */
public record PlannerInputs(
    Problem problem,
    PlannerOptions options,
    SearchParameters parameters,
    BooleanSupplier timeLimitReached,
    PlanProgress progress) {
  /** Returns the same for another problem. */
  public PlannerInputs with(Problem other) {
    return new PlannerInputs(other, options, parameters, timeLimitReached, progress);
  }

  /** Whether the search must end. */
  public boolean isOver() {
    return timeLimitReached.getAsBoolean();
  }
}
