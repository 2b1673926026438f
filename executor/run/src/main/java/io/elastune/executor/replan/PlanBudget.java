package io.elastune.executor.replan;

import io.elastune.planner.api.PlanForecast;

/**
 * The cost that the rest of a run may have under a plan.
 *
 * @param wholeUsd the budget of the run, which is kept with the required confidence; infinite
 *     without one
 * @param mostUsd the highest mean cost, which may leave a reserve
 */
record PlanBudget(double wholeUsd, double mostUsd) {
  /** Returns the budget of a plan that needs no reserve. */
  static PlanBudget whole(double usd) {
    return new PlanBudget(usd, usd);
  }

  /**
   * Returns the budget of other plans. A plan that costs no more than the present one needs no
   * reserve: without it, the run would use as much of the reserve.
   */
  PlanBudget orAsMuchAs(double presentUsd) {
    return new PlanBudget(wholeUsd, Math.max(mostUsd, presentUsd));
  }

  boolean covers(PlanForecast forecast) {
    return forecast.safeUsd() <= wholeUsd && forecast.costUsd() <= mostUsd;
  }
}
