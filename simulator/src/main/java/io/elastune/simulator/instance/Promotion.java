package io.elastune.simulator.instance;

import io.elastune.simulator.draw.DrawTable;

/**
 * The trials of a group that continue in the next one, if it matters where they ran (docs/model.md,
 * "Time").
 *
 * @param trials how many continue
 * @param keys a uniform key of each trial of the group; those with the smallest keys continue
 */
public record Promotion(int trials, DrawTable keys) {}
