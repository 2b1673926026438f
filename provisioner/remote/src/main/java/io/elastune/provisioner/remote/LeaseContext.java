package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the parts of the lease life cycle share.
 *
 * @param health observes the results of calls
 * @param zones the zones that are to be skipped or tried last
 * @param emit the consumer of events
 */
record LeaseContext(
    InstanceApi api,
    AsyncCaller asyncCaller,
    InstantSource time,
    PollingIntervals pace,
    CallLimits limits,
    CloudHealthMonitor health,
    UnavailableZones zones,
    Consumer<CloudEvent> emit) {
  Instant now() {
    return time.instant();
  }

  void emit(CloudEvent event) {
    emit.accept(event);
  }

  /**
   * Makes later launches prefer another zone than that of a lease, whose instance was preempted or
   * whose node could not become ready.
   */
  void avoidZone(TrackedLease lease) {
    lease.request().ifPresent(asked -> zones.avoid(asked.offer(), lease.zone(), now()));
  }

  /** Records and reports that a lease is terminated. */
  void terminated(TrackedLease lease, Instant at) {
    lease.phase = TrackedLease.Phase.TERMINATED;
    lease.terminatedAt = at;
    emit(new CloudEvent.Terminated(lease.id(), Optional.ofNullable(lease.billedSince), at));
  }
}
