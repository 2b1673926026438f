package io.elastune.executor.decision;

import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;

/** Stops a run in which more trials were dropped than its job tolerates. */
final class FailedTrials {
  private FailedTrials() {}

  static void stopIfTooMany(Transition transition) {
    int limit = transition.definition.maxFailedTrials().orElse(Integer.MAX_VALUE);
    long failed = transition.snapshot().failedTrials();
    if (failed > limit && transition.running()) {
      transition.stop(
          RunOutcome.TRIALS_FAILED,
          DecisionReason.of(
              ReasonCode.TOO_MANY_TRIALS_FAILED, Long.toString(failed), Integer.toString(limit)),
          false);
    }
  }
}
