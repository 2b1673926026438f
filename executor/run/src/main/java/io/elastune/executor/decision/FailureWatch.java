package io.elastune.executor.decision;

import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.EqualFailures;
import io.elastune.executor.decision.model.FailureCause;
import io.elastune.executor.decision.model.FailureRule;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.TrialState;
import java.util.Map;

/**
 * Groups the failures of trials by cause, and stops a run without results in which all trials seem
 * to fail alike, because further ones would only cost money.
 */
final class FailureWatch {
  private FailureWatch() {}

  /** Counts a failed attempt, which is no longer among those in progress. */
  static void failed(Transition transition, AttemptState attempt, FailureCause cause) {
    FailureRule rule = transition.definition.failures().orElse(null);
    if (rule == null || !transition.running()) {
      return;
    }
    EqualFailures before = transition.steering().failures();
    EqualFailures after = before.with(cause, attempt.trial());
    transition.steering(transition.steering().with(after));
    int count = after.of(cause).size();
    if (count < rule.equalFailures()) {
      return;
    }
    if (isHopeless(transition, attempt)) {
      transition.stop(
          RunOutcome.TRIALS_FAILED,
          reason(ReasonCode.STOPPED_AFTER_EQUAL_FAILURES, count, cause),
          false);
    } else if (before.of(cause).size() < rule.equalFailures()) {
      transition.recordDecision(
          DecisionKind.FAILURES,
          reason(ReasonCode.FAILURES_EQUAL, count, cause),
          Map.of("trials", (double) count));
    }
  }

  private static DecisionReason reason(ReasonCode code, int count, FailureCause cause) {
    return DecisionReason.of(code, Integer.toString(count), cause.kind().label(), cause.text());
  }

  /**
   * Whether nothing shows that other trials fare better: none has succeeded, and none that started
   * before this one is still in progress. Trials that started together are expected to fail
   * together, so a few of them that fail first do not stop the others.
   */
  private static boolean isHopeless(Transition transition, AttemptState failed) {
    return transition.trials().values().stream().noneMatch(t -> hasSucceeded(transition, t, failed))
        && transition.attempts().stream()
            .noneMatch(other -> !other.startedAt().isAfter(failed.startedAt()));
  }

  /** A trial of a profiling run has succeeded if it got further than the failed ones. */
  private static boolean hasSucceeded(
      Transition transition, TrialState trial, AttemptState failed) {
    return transition.definition.isProfiling()
        ? trial.unit() > failed.lastUnit()
        : trial.unit() > 0 || trial.hasValue();
  }
}
