package io.elastune.executor.core;

import java.util.List;
import java.util.Map;

/**
 * Handles preemption notices. The trial protocol requests a checkpoint only by stopping a trial, so
 * the trials on the instance write checkpoints and end at once: the notice may be as short as the
 * time that the protocol grants them. After that the instance is released and a replacement is
 * requested. It is not requested earlier, so that the run never exceeds the plan's number of
 * instances or a quota.
 */
final class Notice {
  private Notice() {}

  /** Records that {@code lease} will be preempted. */
  static void given(Draft draft, LeaseState lease, String message) {
    long trials = draft.attempts().stream().filter(a -> a.uses(lease.lease())).count();
    draft.put(lease.leaving());
    draft.note(
        DecisionKind.NOTICE,
        lease.lease() + ": " + message + what(draft, trials),
        Map.of("trials", (double) trials));
  }

  private static String what(Draft draft, long trials) {
    if (!draft.running()) {
      return "";
    }
    return trials == 0
        ? "; no trial runs on it"
        : "; "
            + trials
            + (trials == 1
                ? " trial writes a checkpoint and moves"
                : " trials write checkpoints and move")
            + " to another instance";
  }

  /** Moves trials away from instances that will be preempted, and releases those that are empty. */
  static void settle(Draft draft) {
    if (!draft.running()) {
      return; // the shutdown stops all trials and releases all instances
    }
    List<LeaseState> leaving = draft.leases().stream().filter(LeaseState::isLeaving).toList();
    for (LeaseState lease : leaving) {
      Moves.uproot(draft, lease.chain(), attempt -> attempt.uses(lease.lease()));
      if (!draft.occupied(lease.lease())) {
        ClusterManager.giveUp(draft, lease, "empty, and about to be preempted");
      }
    }
  }
}
