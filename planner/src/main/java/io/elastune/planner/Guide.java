package io.elastune.planner;

/**
 * A lower bound of the cost of a job without spread.
 *
 * @param leastUsd no plan of that job costs less
 * @param exact whether a plan costs exactly that
 */
record Guide(double leastUsd, boolean exact) {}
