package io.elastune.core.timeline;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Trials that are all trained to the same unit, and of which a policy decides how many start and
 * which are trained no further. Trials have their numbers, from 1.
 */
public final class TrialsRun implements SearchRun {
  private final int trials;
  private final int units;
  private Task[] tasks = new Task[64];
  private int issued;
  private int unfinished;
  private int last;
  private boolean isEnded;

  /**
   * Creates a search.
   *
   * @param trials the most trials that it starts
   * @param units the units of each
   */
  public TrialsRun(int trials, int units) {
    this.trials = trials;
    this.units = units;
  }

  /** Lets the search begin after some trials, which have been issued before. */
  public void beginsAfter(int number) {
    last = number;
  }

  /** Returns the task of such a trial, which has not ended. */
  public Task begun(int trial) {
    unfinished++;
    return trained(trial - 1);
  }

  private Task trained(int index) {
    if (index >= tasks.length) {
      tasks = Arrays.copyOf(tasks, Math.max(index + 1, 2 * tasks.length));
    }
    Task task = tasks[index];
    if (task == null) {
      task = new Task(0, index + 1);
      tasks[index] = task;
    }
    task.train(0, 0, units);
    return task;
  }

  @Override
  public void begin() {
    issued = last;
    unfinished = 0;
    isEnded = false;
  }

  @Override
  public boolean isFinished() {
    return isEnded || (issued > 0 && unfinished == 0);
  }

  @Override
  public int queues() {
    return 1;
  }

  @Override
  public boolean mayIssue(int queue) {
    return issued < trials && !isEnded;
  }

  @Override
  public @Nullable Task next(int queue) {
    if (!mayIssue(queue)) {
      return null;
    }
    unfinished++;
    return trained(issued++);
  }

  @Override
  public boolean ended(Task task, double loss, double nowS) {
    unfinished--;
    return false;
  }

  @Override
  public void interrupted(Task task) {
    throw new IllegalStateException("the policy starts interrupted trials again");
  }

  @Override
  public void dropped(Task task) {
    unfinished--;
  }

  @Override
  public void end(double nowS) {
    isEnded = true;
  }
}
