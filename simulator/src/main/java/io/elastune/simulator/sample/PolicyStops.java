package io.elastune.simulator.sample;

import io.elastune.core.estimate.Distribution;

/**
 * How often a scheduling policy is predicted to end a running task after a checkpoint.
 *
 * @param resizes changes of the GPUs of a trial
 * @param preemptions tasks that wait so that others run
 */
public record PolicyStops(Distribution resizes, Distribution preemptions) {}
