package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.aws.account.Ec2;
import io.elastune.provisioner.aws.account.Ec2Instance;
import io.elastune.provisioner.aws.account.PriceList;
import io.elastune.provisioner.aws.account.RegionSettings;
import io.elastune.provisioner.remote.Asker;
import io.elastune.provisioner.remote.ZoneMemory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the parts of one region's cloud share.
 *
 * @param prices opens the price list
 * @param zones which of them are not to be asked, or last
 * @param tell tells the door's consumer
 */
record RegionContext(
    String region,
    RegionSettings settings,
    Ec2 ec2,
    Supplier<PriceList> prices,
    Asker asker,
    InstantSource time,
    Pace pace,
    ZoneMemory zones,
    Consumer<CloudEvent> tell) {
  Instant now() {
    return time.instant();
  }

  void tell(CloudEvent event) {
    tell.accept(event);
  }

  /** Notes that EC2 takes the rental's instance back, or has. */
  void preempted(Rental rental) {
    Optional<String> zone = rental.instance().map(Ec2Instance::zone);
    rental.request().ifPresent(asked -> zones.preempted(asked.offer(), zone, now()));
  }

  /** Notes, and tells, that nothing is there any more. */
  void gone(Rental rental, Instant at) {
    rental.phase = Rental.Phase.GONE;
    rental.goneAt = at;
    tell(new CloudEvent.Terminated(rental.lease(), at));
  }
}
