package io.elastune.simulator;

import org.jspecify.annotations.Nullable;

/**
 * An attempt on some GPUs of an instance of a pool, in a sample with faults.
 *
 * @param <T> what the task belongs to
 */
final class FaultyTask<T> {
  final FaultyAttempt attempt;
  final T owner;
  final FaultyLease lease;
  final int firstGpu;
  final int gpus;

  /** The number of the first attempt of its task, in order of start. */
  final int order;

  /** Whether it runs. */
  boolean isRunning;

  /** The running tasks that started before and after it. */
  @Nullable FaultyTask<T> before;

  @Nullable FaultyTask<T> after;

  FaultyTask(FaultyAttempt attempt, T owner, FaultyLease lease, int firstGpu, int gpus, int order) {
    this.attempt = attempt;
    this.owner = owner;
    this.lease = lease;
    this.firstGpu = firstGpu;
    this.gpus = gpus;
    this.order = order;
  }
}
