package io.elastune.core.timeline;

import java.util.List;
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

  /** Whether trials continue where they ran. */
  default boolean knowsPlaces() {
    return false;
  }

  /**
   * Returns the last task of the trial of a task that has used GPUs, or the task itself if it was
   * interrupted; null if there is none, or if it does not matter where it ran.
   */
  default @Nullable Task home(Task task) {
    return null;
  }

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
  default void start(Task task, Instance instance, int firstGpu, int gpus) {
    start(task, instance, firstGpu, gpus, 1);
  }

  /**
   * Starts a task that was issued.
   *
   * @param firstGpu the lowest GPU that it uses, from 0
   * @param gpus the GPUs that it uses
   * @param trialsPerGpu the trials that share each of them
   */
  void start(Task task, Instance instance, int firstGpu, int gpus, int trialsPerGpu);

  /**
   * Starts a task that was issued on all GPUs of several instances. It is as slow as the slowest of
   * them, and its attempt ends if one of them is lost.
   *
   * @param gpus the GPUs that it uses
   */
  void start(Task task, List<Instance> team, int gpus);

  /** Ends the attempt of a task after a checkpoint; then the task waits. */
  void stop(Task task);

  /** Trains a task that waits no further. */
  void drop(Task task);

  /**
   * Lets the policy know when a task completes a unit, by {@link PolicyRun#unitEnded}.
   *
   * @param unit counted from 1 in its attempt; 0 or the last one for none
   */
  void watch(Task task, int unit);

  /** Returns the units that the present attempt of a task has completed. */
  int completed(Task task);

  /** Whether an attempt that has completed some units has completed the last of them just now. */
  boolean isUnitEnd(Task task, int completed);

  /** Returns the seconds until the search ends in any case; infinite if it has no such time. */
  double leftS();
}
