package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.aws.account.Ec2Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows from what EC2's lists show of a lease, and from what they do not. */
final class Sightings {
  private static final Logger LOG = LoggerFactory.getLogger(Sightings.class);

  /** Nothing was launched if so many looks, and the time to settle, have shown nothing. */
  private static final int ENOUGH_LOOKS = 3;

  /** An order without an answer is repeated to the letter after so many looks. */
  private static final int LOOKS_BEFORE_REPEATING = 2;

  private final RegionContext context;
  private final Watcher watcher;
  private final Ender ender;

  Sightings(RegionContext context, Watcher watcher, Ender ender) {
    this.context = context;
    this.watcher = watcher;
    this.ender = ender;
  }

  /** Takes in what EC2 shows of a lease. */
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
              known -> watcher.missing(rental, known, asked), () -> inVain(rental, asked));
    }
  }

  /** A lease has one instance: whatever else carries its tag is not to be paid for. */
  void tooMany(Rental rental, Ec2Instance instance) {
    if (instance.state().isUp()) {
      LOG.warn("{} is one instance too many of {}: it is ended", instance.id(), rental.lease());
      ender.end(instance.id());
    } else {
      ender.ended(instance.id());
    }
  }

  private void inVain(Rental rental, Instant asked) {
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
      rental.phase = Rental.Phase.QUEUED; // with its order: the same token launches once
    } else if (settled && (rental.in(Rental.Phase.SEEKING) || (unknown && !rental.wanted))) {
      context.gone(rental, context.now());
    }
  }

  /** Released before its turn came; or before the turn of a repetition, which proves nothing. */
  private void neverLaunched(Rental rental) {
    if (rental.order == null) {
      context.gone(rental, context.now());
    } else {
      rental.seek(Rental.Phase.SEEKING, context.now());
    }
  }
}
