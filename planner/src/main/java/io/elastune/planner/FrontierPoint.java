package io.elastune.planner;

import io.elastune.core.plan.Plan;

/**
 * A plan of which no other found is both faster and cheaper.
 *
 * @param completionS mean seconds
 * @param costUsd mean dollars
 * @param onTime the fraction of samples that keep the deadline; 1 without one
 * @param safeS the least deadline, in seconds, that it keeps with the confidence asked for; rather
 *     more than less where few samples tell
 * @param safeUsd the least budget, in dollars, likewise
 */
public record FrontierPoint(
    double completionS, double costUsd, double onTime, double safeS, double safeUsd, Plan plan) {}
