package io.elastune.planner;

/**
 * How far a plan may be from the best possible.
 *
 * @param costUsd dollars of the best possible plan where {@code proven}; else, without spread, no
 *     more than that; with spread no more than the best possible plan of the same job without
 *     spread: a guide, for with spread a plan may happen to cost less
 * @param gap the plan's mean cost divided by that, less 1; without a deadline, where the fastest
 *     plan is sought, of the completions instead; at least 0
 * @param boundUsd dollars that no plan that keeps the deadline with the confidence asked for costs
 *     less than, in the mean: with spread, too, and however short the search was cut
 * @param guide whether the gap is only to the best plan without spread, which bounds nothing with
 *     it
 * @param proven whether the search was exact: no spread, no limit that couples chains, granularity
 *     of at most 60 s, and the search ran to its end
 */
public record Optimum(double costUsd, double gap, double boundUsd, boolean guide, boolean proven) {}
