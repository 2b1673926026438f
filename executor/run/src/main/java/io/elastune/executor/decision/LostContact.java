package io.elastune.executor.decision;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import java.time.Instant;
import java.util.Map;

/**
 * Handles times in which the engine has no contact to the nodes of attempts, such as after the loss
 * of a cluster's head. The trials continue there, so this time does not count as silence. Of many
 * attempts that lose contact together, one decision is recorded.
 */
final class LostContact {
  private LostContact() {}

  static void begin(Transition transition, AttemptState attempt, Instant since) {
    if (!attempt.isActive() || attempt.isUnreachable()) {
      return;
    }
    if (!anyUnreachable(transition)) {
      transition.recordDecision(
          DecisionKind.UNREACHABLE,
          DecisionReason.of(ReasonCode.TRIAL_UNREACHABLE, Integer.toString(attempt.trial())),
          Map.of("silence_s", Seconds.between(since, transition.now)));
    }
    transition.put(attempt.unreachable(since));
  }

  /** Handles the next contact to an attempt, or its end. */
  static void end(Transition transition, AttemptState attempt) {
    if (!attempt.isUnreachable()) {
      return;
    }
    transition.put(attempt.reachable(transition.now));
    if (!anyUnreachable(transition)) {
      Instant since = attempt.life().unreachableSince().orElse(transition.now);
      transition.recordDecision(
          DecisionKind.REACHABLE,
          DecisionReason.of(ReasonCode.ALL_TRIALS_REACHABLE),
          Map.of("silence_s", Seconds.between(since, transition.now)));
    }
  }

  private static boolean anyUnreachable(Transition transition) {
    for (AttemptState attempt : transition.attempts()) {
      if (attempt.isUnreachable()) {
        return true;
      }
    }
    return false;
  }
}
