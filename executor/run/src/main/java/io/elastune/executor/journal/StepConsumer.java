package io.elastune.executor.journal;

import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;

/** Receives the steps of a run in order. */
@FunctionalInterface
public interface StepConsumer {
  /** Called once for each event, with the state before it and the result. */
  void accept(RunEvent event, RunState before, StepResult stepResult);
}
