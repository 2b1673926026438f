package io.elastune.core.policy;

import java.util.Optional;

/**
 * Decides which waiting tasks use which GPUs of the instances of a fixed cluster. An implementation
 * is a pure function: the same state and view give the same step. So the executor and the simulator
 * use the same rules.
 *
 * <p>No policy puts more on a GPU than fits, or starts a task that does not wait. Only HyperSched
 * stops tasks: its search ends at the deadline.
 */
public interface SchedulingPolicy<P extends PolicyState> {
  /** Returns the state before the first task is issued. */
  P initial();

  /**
   * Returns the state after a change of waiting tasks, running tasks or instances, or at the end of
   * a unit, with the decisions in order.
   */
  PolicyStep<P> assign(P state, PolicyView view);

  /**
   * Returns the state after the task of a trial has ended with its last unit. In a search without
   * barriers, the next task of the trial may be issued at once.
   */
  default P ended(P state, int trial) {
    return state;
  }

  /**
   * Whether the next ends of units of running tasks matter. Otherwise {@link #assign} decides
   * nothing there, and need not be called.
   */
  boolean usesUnitEnds(P state);

  /**
   * Returns the next unit of the task of a trial whose end matters in this state, if ends of units
   * do.
   *
   * @param unit the unit that the trial trains now, counted from 1
   */
  default int nextUnit(P state, int trial, int unit) {
    return unit;
  }

  /**
   * Returns the width whose times of units, as measured, decisions depend on (see {@link
   * MeasuredTimes}); empty if they do not depend on measured times.
   */
  default Optional<Width> measuredWidth() {
    return Optional.empty();
  }

  /** Whether decisions depend on the reports of trials. */
  boolean usesReports();
}
