package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.remote.NodeExpiry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the expiry of nodes, which their dead-man timers read. */
final class Renewer {
  private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);

  private final ProjectContext context;
  private final Awaited awaited;
  private final NodeExpiry lives;

  Renewer(ProjectContext context, Awaited awaited) {
    this.context = context;
    lives = new NodeExpiry(context.pace().renew());
    this.awaited = awaited;
  }

  /**
   * Sets the limit. It is sent to existing nodes immediately, and to later ones with their insert
   * request.
   */
  void limitLives(NodeExpiryLimit other, Collection<Rental> rentals) {
    lives.setLimit(other);
    rentals.forEach(rental -> rental.renewed = Instant.EPOCH);
  }

  /** Returns the first expiry of an instance that is requested now. */
  Instant endOfOrdered(LeaseRequest request, Instant now) {
    return lives.firstExpiry(request, now);
  }

  /**
   * Returns whether all running nodes have received the limit. Only then may another instance be
   * created, because the limit reserves its cost.
   */
  boolean haveAllHeard(Collection<Rental> rentals) {
    Instant now = context.now();
    return rentals.stream()
        .filter(Rental::mayLiveOn)
        .allMatch(rental -> hasReceivedLimit(rental, now));
  }

  private boolean hasReceivedLimit(Rental rental, Instant now) {
    Optional<Instant> expires = Optional.ofNullable(rental.expires);
    return lives.isWithinLimit(rental.lease(), createdAt(rental, now), expires);
  }

  /**
   * Renews the expiries that are due, one call for each node, because Google has no batch call for
   * it.
   */
  void renew(Collection<Rental> rentals) {
    Instant now = context.now();
    List<Rental> due =
        rentals.stream()
            .filter(rental -> rental.wanted && rental.isUp() && isDue(rental, now))
            .takeWhile(rental -> context.changes().tryAcquire(now))
            .toList();
    due.forEach(rental -> rental.instance().ifPresent(node -> renew(rental, node, now)));
  }

  private boolean isDue(Rental rental, Instant now) {
    Optional<Instant> last = Optional.ofNullable(rental.renewed);
    return lives.isDue(last, deadMan(rental), createdAt(rental, now), now);
  }

  private static Instant createdAt(Rental rental, Instant otherwise) {
    return rental.instance().map(GceInstance::created).orElse(otherwise);
  }

  private static Duration deadMan(Rental rental) {
    return rental.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
  }

  private void renew(Rental rental, GceInstance node, Instant now) {
    rental.renewed = now;
    Instant end = lives.nextExpiry(rental.lease(), deadMan(rental), node.created(), now);
    String expires = Long.toString(end.getEpochSecond());
    context
        .asker()
        .call(
            () -> context.compute().note(node.zone(), node.name(), Tags.EXPIRES, expires),
            begun ->
                awaited.add(
                    begun,
                    over ->
                        over.failure()
                            .ifPresentOrElse(
                                failure -> failed(rental, failure),
                                () -> renewed(rental, end, now))),
            failure -> failed(rental, failure));
  }

  /**
   * If another call was sent in the meantime, the order of the two is unknown, so the expiry is
   * renewed again.
   */
  private static void renewed(Rental rental, Instant end, Instant sent) {
    if (sent.equals(rental.renewed)) {
      rental.expires = end;
    } else {
      rental.renewed = Instant.EPOCH;
    }
  }

  private void failed(Rental rental, CloudFailure failure) {
    LOG.warn("Renewing the expiry of {} failed: {}", rental.name(), failure.message());
    if (failure instanceof CloudFailure.Throttled) {
      context.changes().pause(context.now(), context.pace().backOff());
    }
    rental.renewed =
        lives.lastRenewalAfterFailure(deadMan(rental), context.pace().again(), context.now());
  }
}
