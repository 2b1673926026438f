package io.elastune.planner;

/**
 * How far a plan may be from the best possible.
 *
 * @param costUsd dollars of the best possible plan where {@code proven}, else of a bound: without
 *     spread no plan that keeps the limits costs less; with spread it is the optimum of the same
 *     job without spread, which is a guide and no proof
 * @param gap the plan's mean cost divided by that, less 1; without a deadline, where the fastest
 *     plan is sought, of the completions instead; at least 0
 * @param proven whether the search was exact: no spread, no limit that couples chains, granularity
 *     of at most 60 s, and the search ran to its end
 */
public record Optimum(double costUsd, double gap, boolean proven) {}
