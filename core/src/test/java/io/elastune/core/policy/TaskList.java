package io.elastune.core.policy;

import java.util.List;
import java.util.stream.IntStream;

/** Tasks that are all issued at the start, and on which nothing else depends. */
public final class TaskList implements TaskSource {
  private List<Task> tasks;

  /** Creates the source of these tasks. */
  public TaskList(List<Task> tasks) {
    this.tasks = List.copyOf(tasks);
  }

  /**
   * Returns the tasks of one trial group.
   *
   * @param units the units of trial 1, 2, and so on
   */
  static TaskList ofGroup(String group, List<Integer> units) {
    return new TaskList(
        IntStream.rangeClosed(1, units.size())
            .mapToObj(trial -> new Task(trial, group, units.get(trial - 1)))
            .toList());
  }

  @Override
  public List<Task> issue(double nowS, int unfinished) {
    List<Task> issued = tasks;
    tasks = List.of();
    return issued;
  }
}
