package io.elastune.executor.decision;

import io.elastune.core.billing.Billing;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ObservedLosses;
import io.elastune.executor.decision.model.RunState;
import io.elastune.provisioner.LossReason;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts the lost instances of a run. */
final class LeaseLosses {
  private LeaseLosses() {}

  /** Returns the losses of all offers of which the run has had running instances, by name. */
  static SortedMap<String, ObservedLosses> byOffer(RunState state) {
    SortedMap<String, ObservedLosses> all = new TreeMap<>();
    for (LeaseState lease : state.leases().values()) {
      if (lease.runningAt().isPresent()) {
        all.merge(
            lease.offer(), of(lease, lease.runningAt().get(), state.now()), ObservedLosses::plus);
      }
    }
    return all;
  }

  private static ObservedLosses of(LeaseState lease, Instant running, Instant now) {
    Instant end = lease.releasedAt().or(lease::terminatedAt).orElse(now);
    double hours = Math.max(0, Seconds.between(running, end)) / Billing.SECONDS_PER_HOUR;
    return lease
        .loss()
        .map(
            loss ->
                loss == LossReason.PREEMPTED
                    ? new ObservedLosses(0, 1, hours)
                    : new ObservedLosses(lease.readyAt().isPresent() ? 1 : 0, 0, hours))
        .orElseGet(() -> new ObservedLosses(0, 0, hours));
  }
}
