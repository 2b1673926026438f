package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.remote.AsyncCaller;
import io.elastune.provisioner.remote.RateLimit;
import io.elastune.provisioner.remote.UnavailableZones;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The dependencies that the parts of the provider share.
 *
 * @param settings the settings by region
 * @param changes limits the rate of calls that change resources
 * @param reads limits the rate of calls that read a single resource
 * @param zones the zones that are to be skipped or tried last
 * @param emit the consumer of events
 */
record ProjectContext(
    Map<String, RegionSettings> settings,
    Compute compute,
    AsyncCaller asyncCaller,
    InstantSource time,
    PollingIntervals pace,
    RateLimit changes,
    RateLimit reads,
    UnavailableZones zones,
    Consumer<CloudEvent> emit) {
  Instant now() {
    return time.instant();
  }

  void emit(CloudEvent event) {
    emit.accept(event);
  }

  /** Records that Google is preempting, or has preempted, the instance of a lease. */
  void preempted(TrackedLease trackedLease) {
    trackedLease
        .request()
        .ifPresent(asked -> zones.recordPreemption(asked.offer(), trackedLease.zone(), now()));
  }

  /** Records and reports a lease as terminated. */
  void terminated(TrackedLease trackedLease, Instant at) {
    trackedLease.phase = TrackedLease.Phase.TERMINATED;
    trackedLease.terminatedAt = at;
    emit(new CloudEvent.Terminated(trackedLease.lease(), at));
  }
}
