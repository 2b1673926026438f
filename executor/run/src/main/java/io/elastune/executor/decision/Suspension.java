package io.elastune.executor.decision;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import java.time.Instant;
import java.util.Map;

/**
 * Leaves the time in which the controller did not run out of the times of trials: its process was
 * stopped, or its machine slept, perhaps with the trials. Which units they trained meanwhile is
 * unknown, so these measure nothing, and no trial was silent. The cost and the deadline of the run
 * include the time.
 */
final class Suspension {
  private Suspension() {}

  static void note(Transition transition, double seconds) {
    Instant since = Seconds.after(transition.now, -seconds);
    for (AttemptState attempt : transition.attempts()) {
      transition.put(attempt.suspended(since, transition.now));
    }
    transition.leases().stream() // the clock may have been set
        .filter(LeaseState::mayRunUnreported)
        .toList()
        .forEach(lease -> transition.put(lease.byEarlierClock(transition.aheadS(lease))));
    transition.clock(transition.clock().jumped(seconds));
    transition.recordDecision(
        DecisionKind.SUSPENDED,
        DecisionReason.of(ReasonCode.CONTROLLER_SUSPENDED),
        Map.of("seconds", seconds));
  }
}
