package io.elastune.planner.api;

/**
 * One step of the greedy planner, in mean values.
 *
 * @param change the change, as text
 * @param costBeforeUsd mean dollars before
 * @param costAfterUsd mean dollars after; less
 * @param completionBeforeS mean seconds before
 * @param completionAfterS mean seconds after
 * @param benefit the marginal benefit M: dollars saved per second lost; infinite when no time is
 *     lost (docs/model.md, "The greedy marginal-benefit planner")
 */
public record GreedyStep(
    String change,
    double costBeforeUsd,
    double costAfterUsd,
    double completionBeforeS,
    double completionAfterS,
    double benefit) {}
