package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.remote.AsyncCaller;
import io.elastune.provisioner.remote.UnavailableZones;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The shared objects of one region.
 *
 * @param prices creates the price list client
 * @param zones the zones without capacity or with preemptions
 * @param emit delivers an event to the consumer
 */
record RegionContext(
    String region,
    RegionSettings settings,
    Ec2 ec2,
    Supplier<PriceList> prices,
    AsyncCaller asyncCaller,
    InstantSource time,
    PollingIntervals pace,
    UnavailableZones zones,
    Consumer<CloudEvent> emit) {
  Instant now() {
    return time.instant();
  }

  void emit(CloudEvent event) {
    emit.accept(event);
  }

  /** Records that EC2 preempts, or has preempted, the instance of a lease. */
  void recordPreemption(TrackedLease trackedLease) {
    Optional<String> zone = trackedLease.instance().map(Ec2Instance::zone);
    trackedLease.request().ifPresent(asked -> zones.recordPreemption(asked.offer(), zone, now()));
  }

  /** Records and reports that the lease is terminated. */
  void terminated(TrackedLease trackedLease, Instant at) {
    trackedLease.phase = TrackedLease.Phase.TERMINATED;
    trackedLease.terminatedAt = at;
    emit(new CloudEvent.Terminated(trackedLease.lease(), at));
  }
}
