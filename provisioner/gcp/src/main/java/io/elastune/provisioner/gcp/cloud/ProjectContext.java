package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.gcp.account.Compute;
import io.elastune.provisioner.gcp.account.RegionSettings;
import io.elastune.provisioner.remote.Asker;
import io.elastune.provisioner.remote.RateLimit;
import io.elastune.provisioner.remote.ZoneMemory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What the parts of the door share.
 *
 * @param settings by region
 * @param changes limits the calls that change something
 * @param reads limits the calls that read of a single thing
 * @param zones which of them are not to be asked, or last
 * @param tell tells the door's consumer
 */
record ProjectContext(
    Map<String, RegionSettings> settings,
    Compute compute,
    Asker asker,
    InstantSource time,
    Pace pace,
    RateLimit changes,
    RateLimit reads,
    ZoneMemory zones,
    Consumer<CloudEvent> tell) {
  Instant now() {
    return time.instant();
  }

  void tell(CloudEvent event) {
    tell.accept(event);
  }

  /** Notes that Google takes the rental's instance back, or has. */
  void preempted(Rental rental) {
    rental.request().ifPresent(asked -> zones.preempted(asked.offer(), rental.zone(), now()));
  }

  /** Notes, and tells, that nothing is there any more. */
  void gone(Rental rental, Instant at) {
    rental.phase = Rental.Phase.GONE;
    rental.goneAt = at;
    tell(new CloudEvent.Terminated(rental.lease(), at));
  }
}
