package io.elastune.simulator;

import io.elastune.core.timeline.PolicyRun;
import io.elastune.core.timeline.SearchRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import java.util.OptionalDouble;

/**
 * A search on a cluster that a policy divides among its tasks, for one sample at a time
 * (docs/searches.md, "Scheduling policies of fixed clusters"). Not thread-safe.
 */
interface PlayedPolicy {
  /** Returns the instances of the cluster. */
  LeasePlan leases();

  /** Returns the GPUs of each. */
  int gpusPerInstance();

  /** Whether instances are lost, or trials fail. */
  boolean hasFaults();

  /** Returns the search. */
  SearchRun search();

  /** Returns the policy. */
  PolicyRun policy();

  /** Returns the durations of the trials. */
  TrialTimes times();

  /** Returns the clocks of the faults of trials. */
  TrialClocks[] clocks();

  /** Returns the index of the clock of a task in them. */
  int row(Task task);

  /** Returns when the search ends in any case; empty if it has no such time. */
  OptionalDouble stopS();

  /** Begins a sample. */
  void select(int sample);

  /**
   * Returns when each group of the search has ended in the sample.
   *
   * @param endS when the search has ended
   */
  double[] endS(Timeline timeline, double endS);

  /** Records how many tasks there were in a sample. */
  default void count(int sample, RungCounts counts) {}
}
