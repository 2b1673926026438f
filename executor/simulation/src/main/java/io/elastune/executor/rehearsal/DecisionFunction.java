package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;

/**
 * The decision core of a rehearsed run. Tests of the rehearsal replace it by one with a deliberate
 * defect.
 */
interface DecisionFunction {
  /** Returns the new state and the commands that follow from {@code event} in {@code state}. */
  StepResult step(RunState state, RunEvent event);
}
