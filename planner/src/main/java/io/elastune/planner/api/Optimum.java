package io.elastune.planner.api;

/**
 * How far a plan may be from the best possible one.
 *
 * @param costUsd dollars of the best possible plan where {@code proven}; else, without spread, a
 *     lower bound of them; with spread a lower bound for the same job without spread: a guide,
 *     since with spread a plan may cost less
 * @param gap the mean cost of the plan divided by {@code costUsd}, less 1; without a deadline,
 *     where the fastest plan is sought, the same for completion times; at least 0
 * @param boundUsd mean dollars that no plan costs less than that meets the deadline with the
 *     required confidence: also with spread, and however early the search ended
 * @param guide whether the gap is only to the best plan without spread, which bounds nothing with
 *     spread
 * @param proven whether the search was exact: no spread, no limit that couples chains, billing
 *     increments of at most 60 s, and a complete search
 */
public record Optimum(double costUsd, double gap, double boundUsd, boolean guide, boolean proven) {}
