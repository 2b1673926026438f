package io.elastune.planner;

import io.elastune.core.plan.Plan;

/**
 * A plan of which no other found is both faster and cheaper.
 *
 * @param completionS mean seconds
 * @param costUsd mean dollars
 * @param onTime the fraction of samples that keep the deadline; 1 without one
 */
public record FrontierPoint(double completionS, double costUsd, double onTime, Plan plan) {}
