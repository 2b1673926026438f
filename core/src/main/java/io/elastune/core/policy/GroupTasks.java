package io.elastune.core.policy;

import java.util.List;
import java.util.stream.IntStream;

/** The tasks of one trial group, all of which are issued at its start. */
final class GroupTasks implements TaskSource {
  private List<Task> tasks;

  /**
   * @param units the units of trial 1, 2, and so on
   */
  GroupTasks(String group, List<Integer> units) {
    tasks =
        IntStream.rangeClosed(1, units.size())
            .mapToObj(trial -> new Task(trial, group, units.get(trial - 1)))
            .toList();
  }

  @Override
  public List<Task> issue(double nowS, int unfinished) {
    List<Task> issued = tasks;
    tasks = List.of();
    return issued;
  }

  @Override
  public void ended(int trial) {
    // its group ends with the last trial
  }

  @Override
  public boolean hasEnded() {
    return false;
  }
}
