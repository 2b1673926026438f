package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.aws.account.Ec2Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates leases from EC2's lists, including leases that are not listed. */
final class Sightings {
  private static final Logger LOG = LoggerFactory.getLogger(Sightings.class);

  /**
   * The number of lists without the instance, besides the time to settle, that prove its absence.
   */
  private static final int ENOUGH_LOOKS = 3;

  /** The number of lists after which a launch with an unknown outcome is repeated identically. */
  private static final int LOOKS_BEFORE_REPEATING = 2;

  private final RegionContext context;
  private final Watcher watcher;
  private final Ender ender;

  Sightings(RegionContext context, Watcher watcher, Ender ender) {
    this.context = context;
    this.watcher = watcher;
    this.ender = ender;
  }

  /** Processes the listed instances of a lease. */
  void see(Rental rental, List<Ec2Instance> instances, Instant asked) {
    for (Ec2Instance instance : instances) {
      boolean other =
          rental.instance().filter(known -> !known.id().equals(instance.id())).isPresent();
      if (other || (!rental.open() && rental.instance().isEmpty())) {
        tooMany(rental, instance);
      } else if (rental.open()) {
        rental.shown = asked;
        watcher.see(rental, instance);
      }
    }
    if (rental.open()) {
      rental
          .instance()
          .ifPresentOrElse(
              known -> watcher.missing(rental, known, asked), () -> countEmptyList(rental, asked));
    }
  }

  /** Terminates a second instance with the tag of a lease. */
  void tooMany(Rental rental, Ec2Instance instance) {
    if (instance.state().isUp()) {
      LOG.warn("Duplicate instance {} for lease {}; terminating it", instance.id(), rental.lease());
      ender.end(instance.id());
    } else {
      ender.ended(instance.id());
    }
  }

  private void countEmptyList(Rental rental, Instant asked) {
    if (asked.isBefore(rental.soughtSince)) {
      return;
    }
    rental.looks++;
    boolean settled =
        rental.looks >= ENOUGH_LOOKS
            && Duration.between(rental.soughtSince, asked).compareTo(context.pace().settle()) >= 0;
    boolean unknown = rental.in(Rental.Phase.UNKNOWN);
    if (rental.in(Rental.Phase.QUEUED) && !rental.wanted) {
      neverLaunched(rental);
    } else if (unknown && rental.wanted && rental.looks >= LOOKS_BEFORE_REPEATING) {
      rental.phase = Rental.Phase.QUEUED; // with its request: the same token launches once
    } else if (settled && (rental.in(Rental.Phase.SEEKING) || (unknown && !rental.wanted))) {
      context.gone(rental, context.now());
    }
  }

  /** Ends a lease released before its launch. Before a retry, its absence is not proven. */
  private void neverLaunched(Rental rental) {
    if (rental.order == null) {
      context.gone(rental, context.now());
    } else {
      rental.seek(Rental.Phase.SEEKING, context.now());
    }
  }
}
