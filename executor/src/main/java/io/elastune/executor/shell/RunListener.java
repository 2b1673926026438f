package io.elastune.executor.shell;

import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;

/** Is told how a run goes on, from the run's own thread; must not block. */
public interface RunListener {
  /** One step has been taken and written down. */
  void stepped(RunEvent event, RunState before, Step step);
}
