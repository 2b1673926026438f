package io.elastune.core.timeline;

import org.jspecify.annotations.Nullable;

/** The instances and tasks that a policy sees, and what it can do with them. */
public interface ManagedCluster {
  /** Returns the present time in seconds. */
  double nowS();

  /** Returns the number of instances that were requested so far. */
  int requested();

  /** Returns an instance by its number, from 0, in the order of requests. */
  Instance instance(int number);

  /** Returns the number of instances that are held. */
  int held();

  /** Returns how many of them run no task. */
  int idle();

  /** Requests another instance. */
  void request();

  /** Requests an instance that takes the place of one that is lost. */
  void replace(Instance lost);

  /** Releases an instance that runs no task. */
  void release(Instance instance);

  /** Starts no new trial any more if there is too little time for one; returns whether so. */
  boolean closesNow();

  /** Lets the search issue the next task of a queue; null if there is none. */
  @Nullable Task issue(int queue);

  /**
   * Starts a task that was issued.
   *
   * @param firstGpu the lowest GPU that it uses, from 0
   * @param gpus the GPUs that it uses
   */
  void start(Task task, Instance instance, int firstGpu, int gpus);
}
