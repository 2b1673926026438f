package io.elastune.planner.search;

/**
 * A lower bound of the cost of a job without spread.
 *
 * @param leastUsd no plan of that job costs less
 * @param exact whether a plan costs exactly that
 */
public record SpreadFreeBound(double leastUsd, boolean exact) {}
