package io.elastune.core.search;

/**
 * A task of chains that share instances, as {@link PoolTimeline} plays it.
 *
 * @param group the index of its group in the chain
 * @param trial its index in the group
 * @param firstGpu the lowest of its adjacent GPUs on the instance
 * @param startS when it starts, in seconds
 * @param endS when it ends, in seconds
 */
public record PoolTask(
    int chain,
    int group,
    int trial,
    int instance,
    int firstGpu,
    int gpus,
    double startS,
    double endS) {
  /** Returns the task as it is when the search ends at {@code nowS}. */
  PoolTask endingAt(double nowS) {
    return new PoolTask(chain, group, trial, instance, firstGpu, gpus, startS, nowS);
  }
}
