package io.elastune.core.policy;

import java.util.List;

/** A decision of a scheduling policy. */
public sealed interface PolicyDecision {
  /**
   * A waiting task starts.
   *
   * @param instance the number of a ready instance
   * @param gpus the GPUs that it uses there, from 0, in ascending order
   */
  record Start(int trial, Width width, int instance, List<Integer> gpus) implements PolicyDecision {
    public Start {
      gpus = List.copyOf(gpus);
    }
  }

  /**
   * A running task writes a checkpoint and ends, so that it can continue with another width.
   *
   * @param from its present width
   * @param to the width with which it waits afterwards
   */
  record Resize(int trial, Width from, Width to) implements PolicyDecision {}

  /** A running task writes a checkpoint and ends, so that another one can use its GPU. */
  record Preempt(int trial) implements PolicyDecision {}

  /** A waiting task is not trained any further. */
  record Stop(int trial) implements PolicyDecision {}
}
