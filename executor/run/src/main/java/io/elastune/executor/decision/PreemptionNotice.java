package io.elastune.executor.decision;

import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import java.util.List;
import java.util.Map;

/**
 * Handles preemption notices. The trial protocol requests a checkpoint only by stopping a trial, so
 * the trials on the instance write checkpoints and end at once: the notice may be as short as the
 * time that the protocol grants them. After that the instance is released and a replacement is
 * requested. It is not requested earlier, so that the run never exceeds the plan's number of
 * instances or a quota.
 */
final class PreemptionNotice {
  private PreemptionNotice() {}

  /** Records that {@code lease} will be preempted. */
  static void record(Transition transition, LeaseState lease, String message) {
    long trials = transition.attempts().stream().filter(a -> a.uses(lease.lease())).count();
    transition.put(lease.leaving());
    transition.recordDecision(
        DecisionKind.NOTICE,
        DecisionReason.of(
            transition.running() ? ReasonCode.PREEMPTION : ReasonCode.PREEMPTION_AT_END,
            lease.lease(),
            message),
        Map.of("trials", (double) trials));
  }

  /** Moves trials away from instances that will be preempted, and releases those that are empty. */
  static void advance(Transition transition) {
    if (!transition.running()) {
      return; // the shutdown stops all trials and releases all instances
    }
    List<LeaseState> leaving = transition.leases().stream().filter(LeaseState::isLeaving).toList();
    for (LeaseState lease : leaving) {
      TrialMigration.uproot(transition, attempt -> attempt.uses(lease.lease()));
      if (!transition.occupied(lease.lease())) {
        LostInstances.replaceInstance(transition, lease, ReasonCode.RELEASED_BEFORE_PREEMPTION);
      }
    }
  }
}
