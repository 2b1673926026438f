package io.elastune.core.timeline;

import org.jspecify.annotations.Nullable;

/**
 * A search in progress: which trials are trained, how far, and which of them continue. It issues
 * tasks from queues, for example one queue for each chain. Mutable, so that an event costs little;
 * {@link #begin} starts it again.
 */
public interface SearchRun {
  /** Begins the search. */
  void begin();

  /** Whether nothing is left to be trained. */
  boolean isFinished();

  /** Returns the number of queues. */
  int queues();

  /** Whether a task may be issued from a queue; if not, {@link #next} returns null. */
  boolean mayIssue(int queue);

  /** Issues the next task of a queue, because one fits; null if there is none. */
  @Nullable Task next(int queue);

  /**
   * Starts no new trial any more if there is too little time for one.
   *
   * @param leftS seconds until the search ends in any case
   * @return whether it was this that closed the search
   */
  default boolean closeIfLate(double leftS) {
    return false;
  }

  /**
   * Records that a task has trained all its units.
   *
   * @param loss the result of its trial, less is better; NaN unless {@link #usesLosses}
   * @return whether its trial trains on in the same attempt, as the task now states
   */
  boolean ended(Task task, double loss, double nowS);

  /** Whether the results of trials matter. */
  default boolean usesLosses() {
    return false;
  }

  /** Records that the attempt of a task has ended early: the task is issued again. */
  void interrupted(Task task);

  /** Records that a task is trained no further. */
  default void dropped(Task task) {
    throw new IllegalStateException("the search drops no task");
  }

  /** Ends the search at its target or at its time, with whatever it has reached. */
  void end(double nowS);

  /** Returns the index of the phase to which instances are billed now. */
  default int phase() {
    return 0;
  }
}
