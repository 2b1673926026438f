package io.elastune.simulator.timeline;

import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.Task;

/** Describes what an attempt of a task trains. */
interface TaskDescription {
  /**
   * Returns the description of the training of some units of a task.
   *
   * @param from the units of the task before
   * @param to those after
   */
  TraceEvent.Task of(Task task, int from, int to);
}
