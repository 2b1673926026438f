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

  /** Records that a task does not use its GPUs any more. */
  void ended(Task task);

  /** Requests a replacement of an instance that is lost, if it is needed. */
  void lost(Instance instance, ManagedCluster cluster);
}
