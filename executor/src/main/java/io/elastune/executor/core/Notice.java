package io.elastune.executor.core;

import java.util.List;
import java.util.Map;

/**
 * What is done when the cloud gives notice that it takes an instance back: as the trial protocol
 * lets a running trial be asked for a checkpoint only by asking it to end, the trials on it save
 * and end, at once, for the notice may be as short as what the protocol grants them. As soon as
 * they have, the instance is let go and another requested; no sooner, so that there are never more
 * than the plan has, and no quota is exceeded.
 */
final class Notice {
  private Notice() {}

  /** Takes down that {@code lease} will be taken back. */
  static void given(Draft draft, LeaseState lease, String message) {
    long trials = draft.attempts().stream().filter(a -> a.uses(lease.lease())).count();
    draft.put(lease.leaving());
    draft.note(
        "notice",
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
            + (trials == 1 ? " trial saves and goes" : " trials save and go")
            + " on elsewhere";
  }

  /** Has trials leave instances that will be taken back, and lets go of those that are empty. */
  static void settle(Draft draft) {
    if (!draft.running()) {
      return; // all trials save and end then, and all instances are released
    }
    List<LeaseState> leaving = draft.leases().stream().filter(LeaseState::isLeaving).toList();
    for (LeaseState lease : leaving) {
      Moves.uproot(draft, lease.chain(), attempt -> attempt.uses(lease.lease()));
      if (!draft.occupied(lease.lease())) {
        ClusterManager.giveUp(draft, lease, "empty, before the cloud takes it back");
      }
    }
  }
}
