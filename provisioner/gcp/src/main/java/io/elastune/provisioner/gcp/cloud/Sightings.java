package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.Life;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows from what Google's lists show of a lease, and from what they do not. */
final class Sightings {
  private static final Logger LOG = LoggerFactory.getLogger(Sightings.class);

  /** Nothing was made if so many looks, and the time to settle, have shown nothing. */
  private static final int ENOUGH_LOOKS = 3;

  /** An order without an answer is repeated to the letter after so many looks. */
  private static final int LOOKS_BEFORE_REPEATING = 1;

  private final ProjectContext context;
  private final Watcher watcher;
  private final Ender ender;

  Sightings(ProjectContext context, Watcher watcher, Ender ender) {
    this.context = context;
    this.watcher = watcher;
    this.ender = ender;
  }

  /** Takes in what Google shows of a lease. */
  void see(Rental rental, List<GceInstance> instances, Set<String> silent, Instant asked) {
    if (rental.in(Rental.Phase.INSERTING)) {
      return; // the answer tells when it was begun
    }
    if (rental.insertion().isEmpty() && rental.history == null && !instances.isEmpty()) {
      rental.historyWanted = true; // first when it was begun, then what has become of it
      return;
    }
    if (rental.in(Rental.Phase.SEEKING) && rental.history == null) {
      return;
    }
    for (GceInstance instance : instances) {
      if (rental.refusedBy.contains(instance.zone()) && instance.life() == Life.COMING) {
        continue; // its making has failed, which this list does not know yet
      }
      boolean other =
          rental.zone().filter(zone -> !rental.isAt(instance.zone(), instance.name())).isPresent();
      if (other) {
        tooMany(rental, instance);
      } else if (rental.open()) {
        rental.shown = asked;
        watcher.see(rental, instance);
      }
    }
    if (rental.open() && rental.shown.isBefore(asked)) {
      rental
          .zone()
          .ifPresentOrElse(
              zone -> {
                if (!silent.contains(zone) && !rental.in(Rental.Phase.COMING)) {
                  watcher.missing(rental, zone, asked);
                }
              },
              () -> {
                if (silent.isEmpty()) {
                  inVain(rental, asked);
                }
              });
    }
  }

  /** A lease has one instance: whatever else carries its label is not to be paid for. */
  private void tooMany(Rental rental, GceInstance instance) {
    LOG.warn("{} is one instance too many of {}: it is deleted", instance.path(), rental.lease());
    ender.end(instance.zone(), instance.name(), instance.id());
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
      neverMade(rental);
    } else if (unknown && rental.wanted && rental.looks >= LOOKS_BEFORE_REPEATING) {
      rental.phase = Rental.Phase.QUEUED; // with its order: the same request id makes one
    } else if (settled && (rental.in(Rental.Phase.SEEKING) || (unknown && !rental.wanted))) {
      context.gone(rental, context.now());
    }
  }

  /** Released before its turn came; or before the turn of a repetition, which proves nothing. */
  private void neverMade(Rental rental) {
    if (rental.order == null) {
      context.gone(rental, context.now());
    } else {
      rental.seek(Rental.Phase.SEEKING, context.now());
    }
  }
}
