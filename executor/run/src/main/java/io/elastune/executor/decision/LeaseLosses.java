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

/** The lost instances of a run. */
final class LeaseLosses {
  /**
   * Seconds after a loss in which further losses belong to the same burst. Capacity that is
   * reclaimed usually takes several instances, whose notices arrive one after the other: a plan
   * made after the first one counts on instances that are lost a moment later.
   */
  static final double BURST_S = 10;

  private LeaseLosses() {}

  /**
   * Whether instances are being lost, so that their number and their trials are about to change.
   */
  static boolean isBurst(RunState state) {
    return state.leases().values().stream().anyMatch(LeaseState::isLeaving)
        || Double.isFinite(burstEndsS(state));
  }

  /** Returns the seconds until the end of the burst of losses; infinite if there is none. */
  static double burstEndsS(RunState state) {
    return state.leases().values().stream()
        .filter(lease -> lease.loss().isPresent() && lease.releasedAt().isPresent())
        .mapToDouble(
            lease -> BURST_S - Seconds.between(lease.releasedAt().orElseThrow(), state.now()))
        .filter(leftS -> leftS > Transition.ROUNDING_S && leftS <= BURST_S) // clocks may jump back
        .max()
        .orElse(Double.POSITIVE_INFINITY);
  }

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
    boolean isPreempted = lease.loss().filter(loss -> loss == LossReason.PREEMPTED).isPresent();
    boolean wasReady = lease.readyAt().isPresent();
    boolean hasFailed = wasReady && lease.loss().isPresent() && !isPreempted;
    int failedBoots = lease.failedToBoot() ? 1 : 0;
    return new ObservedLosses(
        hasFailed ? 1 : 0, isPreempted ? 1 : 0, hours, wasReady ? 1 : failedBoots, failedBoots);
  }
}
