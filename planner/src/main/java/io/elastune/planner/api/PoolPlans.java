package io.elastune.planner.api;

import io.elastune.core.plan.Plan;
import java.util.List;
import java.util.Optional;

/** Forecasts plans for the rest of a run all of whose trials use one pool of instances. */
public interface PoolPlans {
  /** Returns the forecast with a plan; empty if the offer of the pool can hold no trial. */
  Optional<PoolForecast> outlook(Plan plan);

  /**
   * Returns other plans.
   *
   * @param refused whether no more instances are available
   */
  List<PoolForecast> alternatives(Plan current, boolean refused);
}
