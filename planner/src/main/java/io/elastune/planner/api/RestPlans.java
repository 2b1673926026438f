package io.elastune.planner.api;

import io.elastune.core.plan.Plan;
import java.util.List;
import java.util.Optional;

/** Forecasts plans for the rest of a run, by samples from its present state. */
public interface RestPlans {
  /** Returns the forecast with a plan; empty if its offers can hold no trial. */
  Optional<PlanForecast> outlook(Plan plan);

  /** Whether the limits, and the instances that can be had, allow a plan. */
  default boolean allows(Plan plan) {
    return true;
  }

  /**
   * Returns the forecasts of the best plans that were found, of at most eight besides the present.
   */
  List<PlanForecast> alternatives(Plan current);
}
