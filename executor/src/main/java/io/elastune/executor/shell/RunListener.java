package io.elastune.executor.shell;

import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;

/** Receives every step of a run, on the run's thread. Must not block. */
public interface RunListener {
  /** Called after a step was decided, journaled and executed. */
  void stepped(RunEvent event, RunState before, Step step);
}
