package io.elastune.core.timeline;

/** How long attempts of tasks take, and what the trials report. */
public interface TrialTimes {
  /**
   * Sets the seconds of an attempt that starts now, by {@link Task#lasts}.
   *
   * @param starts whether its program starts; otherwise the attempt before continues
   */
  void begin(Task task, Instance instance, boolean starts);

  /** Returns the loss of the trial of a task after its last unit: less is better. */
  default double loss(Task task) {
    return Double.NaN;
  }

  /** Returns the loss that the trial of a task reports after a unit of it, counted from 1. */
  default double loss(Task task, int unit) {
    return Double.NaN;
  }

  /**
   * Returns the seconds per unit of a trial relative to those of a trial of average speed, as a
   * policy knows them.
   *
   * @param hasReported whether it has completed a unit of the task
   */
  default double pace(Task task, boolean hasReported) {
    return 1;
  }

  /** Returns the mean seconds to write a checkpoint. */
  default double checkpointS() {
    return 0;
  }

  /** Whether a trial continues from its checkpoints after a fault. */
  default boolean resumes(Task task) {
    return true;
  }

  /** Returns the units of an attempt of which it has a checkpoint when it has trained so many. */
  default int saved(Task task, int units) {
    return units;
  }

  /**
   * Returns how many units of a task have a checkpoint because the one after its last unit is torn,
   * or all if it is complete. Then the trial repeats the others.
   *
   * @param repeated how often it did before
   */
  default int intact(Task task, int repeated) {
    return task.units();
  }

  /**
   * Returns of how many units of an attempt there is a checkpoint after a policy has ended it: the
   * one that it writes then may be torn.
   *
   * @param trained the units that it has completed
   */
  default int stopped(Task task, int trained) {
    return trained;
  }
}
