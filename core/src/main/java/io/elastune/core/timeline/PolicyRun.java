package io.elastune.core.timeline;

/**
 * A policy in progress: which waiting task runs where, and which instances are requested, replaced
 * and released. Mutable, so that an event costs little; {@link #begin} starts it again.
 */
public interface PolicyRun {
  /** Requests the first instances. */
  void begin(ManagedCluster cluster);

  /** Starts tasks and releases instances. It is asked after each event. */
  void decide(ManagedCluster cluster);

  /** Records that tasks can start on an instance from now on. */
  void ready(Instance instance);

  /** Records that a task uses GPUs that has been running since before the timeline. */
  default void runs(Task task) {
    throw new IllegalStateException("this policy starts all tasks");
  }

  /** Records that a task does not use its GPUs any more. */
  void ended(Task task);

  /** Records that a task has trained all its units, after {@link #ended}. */
  default void completed(Task task) {}

  /**
   * Records that a task waits again after its attempt has ended early, after {@link #ended}.
   *
   * @return whether the policy starts it again; otherwise the search issues it again
   */
  default boolean waits(Task task) {
    return false;
  }

  /**
   * Whether a trial whose last checkpoint is torn repeats what it has lost at once, on its GPUs.
   * Otherwise it waits, as after other faults.
   */
  default boolean repeatsAtOnce() {
    return true;
  }

  /**
   * Records that a fault, or a torn checkpoint, ends the attempt of a task, before {@link #ended}.
   *
   * @param completed the units that the attempt has completed, also without a checkpoint
   */
  default void interrupts(Task task, int completed) {}

  /** Records that a task has completed the unit that is watched. */
  default void unitEnded(Task task) {}

  /** Decides when a task has reported its last unit, before it ends. */
  default void ends(Task task, ManagedCluster cluster) {}

  /**
   * Whether units matter. Then all times are whole nanoseconds, as in a simulated environment; and
   * of tasks with events at the same time, the one comes first that has done the same for longest.
   * The policy decides at the start, too, once for all instances that are ready then.
   */
  default boolean countsUnits() {
    return false;
  }

  /** Returns how often a running task was ended after a checkpoint to change its GPUs. */
  default int resizes() {
    return 0;
  }

  /** Returns how often a running task was ended after a checkpoint so that others run. */
  default int preemptions() {
    return 0;
  }

  /** Requests a replacement of an instance that is lost, if it is needed. */
  void lost(Instance instance, ManagedCluster cluster);
}
