package io.elastune.core.search;

/**
 * A trial group of a chain that shares instances with other chains.
 *
 * @param trials number of trials
 * @param gpus GPUs of each
 * @param taskS mean seconds of one of its tasks: start-up and training
 */
public record PoolGroup(int trials, int gpus, double taskS) {}
