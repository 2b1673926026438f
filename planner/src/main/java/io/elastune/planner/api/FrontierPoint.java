package io.elastune.planner.api;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;

/**
 * A plan on the frontier: no other known plan is both faster and cheaper.
 *
 * @param completionS mean seconds
 * @param costUsd mean dollars
 * @param onTime fraction of samples that meet the deadline; 1 without one
 * @param safeS least deadline in seconds that it meets with the required confidence; rather too
 *     high where it is based on few samples
 * @param safeUsd least budget in dollars, likewise
 */
public record FrontierPoint(
    double completionS, double costUsd, double onTime, double safeS, double safeUsd, Plan plan) {
  /** Returns whether the plan meets deadline and budget with the required confidence. */
  public boolean meets(Limits limits) {
    return safeS <= limits.deadlineOrInfinityS() && safeUsd <= limits.budgetOrInfinityUsd();
  }
}
