package io.elastune.executor.runtime;

import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;

/** Receives every step of a run, on the run's thread. Must not block. */
public interface RunListener {
  /** Called after a step was decided, journaled and executed. */
  void onStep(RunEvent event, RunState before, StepResult stepResult);
}
