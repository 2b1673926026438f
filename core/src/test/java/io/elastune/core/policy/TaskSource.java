package io.elastune.core.policy;

import java.util.List;

/** Issues the tasks that a {@link PolicyTimeline} plays. */
public interface TaskSource {
  /**
   * A task: the training of one trial in one trial group or rung.
   *
   * @param group the name of its group or rung
   * @param units the units that it trains
   * @param reports its reports in ascending order of units, if it has been trained before
   */
  record Task(int trial, String group, int units, List<PolicyView.Report> reports) {
    public Task {
      reports = List.copyOf(reports);
    }

    /** Creates a task that has not begun. */
    public Task(int trial, String group, int units) {
      this(trial, group, units, List.of());
    }
  }

  /**
   * Returns the tasks that are issued now. It is asked at the start, and after each event.
   *
   * @param nowS the time in seconds
   * @param unfinished tasks that were issued and have not ended
   */
  List<Task> issue(double nowS, int unfinished);

  /**
   * Records that the task of a trial has ended with its last unit. By default, no other task
   * depends on it.
   */
  default void ended(int trial) {}

  /**
   * Whether nothing that was issued is needed any more: all tasks are discarded. By default, the
   * last task ends it.
   */
  default boolean hasEnded() {
    return false;
  }
}
