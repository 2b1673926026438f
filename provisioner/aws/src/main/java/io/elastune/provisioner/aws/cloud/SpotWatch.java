package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls EC2 for interruption notices of spot instances. */
final class SpotWatch {
  private static final Logger LOG = LoggerFactory.getLogger(SpotWatch.class);

  private final RegionContext context;
  private Instant next = Instant.EPOCH;
  private boolean queryPending;

  SpotWatch(RegionContext context) {
    this.context = context;
  }

  /** Queries which running instances EC2 is about to interrupt. */
  void look(Collection<Rental> rentals) {
    Instant now = context.now();
    Map<String, Rental> spot = new LinkedHashMap<>();
    rentals.stream()
        .filter(rental -> rental.isSpot() && rental.isRunning())
        .filter(rental -> rental.wanted && !rental.toldLeaving)
        .forEach(rental -> rental.instance().ifPresent(seen -> spot.put(seen.id(), rental)));
    if (queryPending || spot.isEmpty() || now.isBefore(next)) {
      return;
    }
    queryPending = true;
    next = now.plus(context.pace().calmLook());
    context
        .asker()
        .call(
            () -> context.ec2().marked(spot.keySet()),
            marked -> report(spot, marked),
            failure -> {
              queryPending = false;
              LOG.warn("Querying spot interruption notices failed: {}", failure.message());
            });
  }

  private void report(Map<String, Rental> spot, Set<String> marked) {
    queryPending = false;
    spot.forEach(
        (id, rental) -> {
          if (marked.contains(id) && rental.wanted && rental.isUp()) {
            rental.toldLeaving = true;
            context.preempted(rental);
            context.tell(
                new CloudEvent.Leaving(
                    rental.lease(),
                    "EC2 gave notice that it will interrupt " + id + " within two minutes",
                    context.now()));
          }
        });
  }
}
