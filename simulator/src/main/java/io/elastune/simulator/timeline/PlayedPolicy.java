package io.elastune.simulator.timeline;

import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.simulator.sample.RungCounts;

/**
 * A search on a cluster that a policy divides among its tasks, for one sample at a time
 * (docs/searches.md, "Scheduling policies of fixed clusters"). Not thread-safe.
 */
interface PlayedPolicy {
  /** Returns the search, its policy, and what they are played with. */
  SampledSearch sampled();

  /** Whether the programs of trials wait for their next units. */
  boolean keepAlive();

  /** Whether instances are lost, or trials fail. */
  boolean hasFaults();

  /** Begins a sample. */
  void select(int sample);

  /**
   * Returns when each group of the search has ended in the sample.
   *
   * @param endS when the search has ended
   */
  double[] endS(Timeline timeline, double endS);

  /**
   * Whether the search has a result in the sample.
   *
   * @param endS when the search has ended
   */
  default boolean hasResult(Timeline timeline, double endS) {
    return true;
  }

  /** Returns the seconds per unit of a trial of average speed with the GPUs of a task. */
  double unitS(Task task);

  /** Returns the index of the group, or of the phase, to which a task belongs that starts now. */
  int group(Task task);

  /** Records how many tasks there were in a sample. */
  default void count(int sample, RungCounts counts) {}
}
