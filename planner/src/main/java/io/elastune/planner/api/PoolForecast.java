package io.elastune.planner.api;

import io.elastune.core.plan.Plan;

/**
 * A plan for the rest of a run whose trials share instances, with its forecast.
 *
 * @param plan an allocation for every remaining group
 * @param meanS mean seconds from the start of the run until it completes
 * @param safeS the same, with the required confidence
 * @param costUsd mean dollars of the run as a whole
 */
public record PoolForecast(Plan plan, double meanS, double safeS, double costUsd) {}
