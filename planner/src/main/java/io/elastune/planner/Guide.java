package io.elastune.planner;

/**
 * What a job would at least cost if nothing varied.
 *
 * @param leastUsd no plan of that job costs less
 * @param exact whether one costs as much
 */
record Guide(double leastUsd, boolean exact) {}
