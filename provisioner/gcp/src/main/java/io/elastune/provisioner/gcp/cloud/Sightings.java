package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.Life;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates leases from Google's lists, including from missing instances. */
final class Sightings {
  private static final Logger LOG = LoggerFactory.getLogger(Sightings.class);

  /**
   * An instance does not exist if this many lists, over at least {@link Pace#settle}, have not
   * shown it.
   */
  private static final int MIN_LISTS = 3;

  /** An insert request with an unknown outcome is repeated unchanged after this many lists. */
  private static final int LISTS_BEFORE_REPEATING = 1;

  private final ProjectContext context;
  private final Watcher watcher;
  private final Ender ender;

  Sightings(ProjectContext context, Watcher watcher, Ender ender) {
    this.context = context;
    this.watcher = watcher;
    this.ender = ender;
  }

  /** Processes the instances that a list shows for a lease. */
  void see(Rental rental, List<GceInstance> instances, Set<String> silent, Instant asked) {
    if (rental.in(Rental.Phase.INSERTING)) {
      return; // the response contains the start time
    }
    if (rental.insertion().isEmpty() && rental.history == null && !instances.isEmpty()) {
      rental.historyWanted = true; // read its start time before its state
      return;
    }
    if (rental.in(Rental.Phase.SEEKING) && rental.history == null) {
      return;
    }
    for (GceInstance instance : instances) {
      if (rental.refusedBy.contains(instance.zone()) && instance.life() == Life.COMING) {
        continue; // its creation has failed; this list is older
      }
      boolean duplicate =
          rental.zone().filter(zone -> !rental.isAt(instance.zone(), instance.name())).isPresent();
      if (duplicate) {
        deleteDuplicate(rental, instance);
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
                  notListed(rental, asked);
                }
              });
    }
  }

  /** Deletes a duplicate: a lease has one instance, and only that is paid for. */
  private void deleteDuplicate(Rental rental, GceInstance instance) {
    LOG.warn("Duplicate instance {} for lease {}; deleting it", instance.path(), rental.lease());
    ender.end(instance.zone(), instance.name(), instance.id());
  }

  private void notListed(Rental rental, Instant asked) {
    if (asked.isBefore(rental.soughtSince)) {
      return;
    }
    rental.looks++;
    boolean isConclusive =
        rental.looks >= MIN_LISTS
            && Duration.between(rental.soughtSince, asked).compareTo(context.pace().settle()) >= 0;
    boolean unknown = rental.in(Rental.Phase.UNKNOWN);
    if (rental.in(Rental.Phase.QUEUED) && !rental.wanted) {
      releasedWhileQueued(rental);
    } else if (unknown && rental.wanted && rental.looks >= LISTS_BEFORE_REPEATING) {
      rental.phase = Rental.Phase.QUEUED; // the same request ID creates at most one instance
    } else if (isConclusive && (rental.in(Rental.Phase.SEEKING) || (unknown && !rental.wanted))) {
      context.gone(rental, context.now());
    }
  }

  /**
   * Handles a lease that was released while queued. If an insert request was sent before, an
   * instance may exist.
   */
  private void releasedWhileQueued(Rental rental) {
    if (rental.order == null) {
      context.gone(rental, context.now());
    } else {
      rental.seek(Rental.Phase.SEEKING, context.now());
    }
  }
}
