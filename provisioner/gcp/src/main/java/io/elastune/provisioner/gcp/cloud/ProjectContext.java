package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.gcp.account.Compute;
import io.elastune.provisioner.gcp.account.RegionSettings;
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
 * @param tell the consumer of events
 */
record ProjectContext(
    Map<String, RegionSettings> settings,
    Compute compute,
    AsyncCaller asker,
    InstantSource time,
    Pace pace,
    RateLimit changes,
    RateLimit reads,
    UnavailableZones zones,
    Consumer<CloudEvent> tell) {
  Instant now() {
    return time.instant();
  }

  void tell(CloudEvent event) {
    tell.accept(event);
  }

  /** Records that Google is preempting, or has preempted, the instance of a lease. */
  void preempted(Rental rental) {
    rental
        .request()
        .ifPresent(asked -> zones.recordPreemption(asked.offer(), rental.zone(), now()));
  }

  /** Records and reports a lease as terminated. */
  void gone(Rental rental, Instant at) {
    rental.phase = Rental.Phase.GONE;
    rental.goneAt = at;
    tell(new CloudEvent.Terminated(rental.lease(), at));
  }
}
