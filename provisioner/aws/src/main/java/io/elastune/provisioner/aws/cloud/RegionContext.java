package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.aws.account.Ec2;
import io.elastune.provisioner.aws.account.Ec2Instance;
import io.elastune.provisioner.aws.account.PriceList;
import io.elastune.provisioner.aws.account.RegionSettings;
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
 * @param tell delivers an event to the consumer
 */
record RegionContext(
    String region,
    RegionSettings settings,
    Ec2 ec2,
    Supplier<PriceList> prices,
    AsyncCaller asker,
    InstantSource time,
    Pace pace,
    UnavailableZones zones,
    Consumer<CloudEvent> tell) {
  Instant now() {
    return time.instant();
  }

  void tell(CloudEvent event) {
    tell.accept(event);
  }

  /** Records that EC2 preempts, or has preempted, the instance of a lease. */
  void preempted(Rental rental) {
    Optional<String> zone = rental.instance().map(Ec2Instance::zone);
    rental.request().ifPresent(asked -> zones.recordPreemption(asked.offer(), zone, now()));
  }

  /** Records and reports that the lease is terminated. */
  void gone(Rental rental, Instant at) {
    rental.phase = Rental.Phase.GONE;
    rental.goneAt = at;
    tell(new CloudEvent.Terminated(rental.lease(), at));
  }
}
