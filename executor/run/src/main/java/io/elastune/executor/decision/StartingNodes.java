package io.elastune.executor.decision;

import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Duration;
import java.util.List;

/**
 * Notes for how long nodes whose start is not known were allowed to run. They may have done so,
 * whatever they are allowed later, and their cost is counted accordingly.
 */
final class StartingNodes {
  /** What ends later than this does not limit a node yet. */
  private static final Duration LIMITED_WITHIN = Duration.ofHours(1);

  private StartingNodes() {}

  static void noteLimits(Transition transition) {
    if (!transition.definition.stopsAtBudget()) {
      return;
    }
    List<LeaseState> starting =
        transition.leases().stream().filter(LeaseState::mayRunUnreported).toList();
    if (starting.isEmpty()) {
      return;
    }
    NodeExpiryLimit limit =
        Ledger.of(transition.definition, transition.snapshot()).lifeLimit(LIMITED_WITHIN);
    for (LeaseState lease : starting) {
      LeaseState noted = lease.allowed(secondsOf(limit, lease));
      if (!noted.equals(lease)) {
        transition.put(noted);
      }
    }
  }

  private static double secondsOf(NodeExpiryLimit limit, LeaseState lease) {
    Duration most = limit.starting().get(lease.lease());
    return most == null ? Double.POSITIVE_INFINITY : most.toNanos() / 1e9;
  }
}
