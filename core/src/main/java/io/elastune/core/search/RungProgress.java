package io.elastune.core.search;

import java.util.List;

/**
 * How far a search made of rungs has come, with the places of its tasks.
 *
 * @param tasks those that were issued and have not ended, in the order of their trials
 */
public record RungProgress(RungState state, List<IssuedTask> tasks) {
  public RungProgress {
    tasks = List.copyOf(tasks);
  }

  /**
   * A task that was issued and has not ended.
   *
   * @param doneUnits the units of the trial from which another attempt would continue
   * @param instance the index of the instance on which it runs; -1 if it does not run
   * @param firstGpu the lowest GPU that it uses
   * @param gpus the GPUs that it uses
   * @param leftS seconds until it ends, if it runs
   */
  public record IssuedTask(
      SearchDecision.Train task,
      int doneUnits,
      int instance,
      int firstGpu,
      int gpus,
      double leftS) {
    /** The instance of a task that does not run. */
    public static final int NONE = -1;

    /** Whether an attempt trains it. */
    public boolean runs() {
      return instance != NONE;
    }
  }
}
