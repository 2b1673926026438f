package io.elastune.planner;

/**
 * One step of the greedy planner, on means.
 *
 * @param change what was changed, in words
 * @param costBeforeUsd mean dollars before
 * @param costAfterUsd mean dollars after; less
 * @param completionBeforeS mean seconds before
 * @param completionAfterS mean seconds after
 * @param benefit the marginal benefit M: dollars saved per second lost; infinite when nothing is
 *     lost (model.md, "The greedy marginal-benefit planner")
 */
public record Step(
    String change,
    double costBeforeUsd,
    double costAfterUsd,
    double completionBeforeS,
    double completionAfterS,
    double benefit) {}
