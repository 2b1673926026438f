package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.account.Ec2Instance;
import io.elastune.provisioner.remote.NodeExpiry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the expiry tag, which the dead-man timers of the nodes read. */
final class Renewer {
  private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);

  private final RegionContext context;
  private final NodeExpiry lives;

  Renewer(RegionContext context) {
    this.context = context;
    lives = new NodeExpiry(context.pace().renew());
  }

  /** Sets the limit; existing nodes receive it now, future nodes at launch. */
  void limitLives(NodeExpiryLimit other, Collection<Rental> rentals) {
    lives.setLimit(other);
    rentals.forEach(rental -> rental.renewed = Instant.EPOCH);
  }

  /** Returns the first expiry of a node that is launched now. */
  Instant endOfLaunched(LeaseRequest request, Instant now) {
    return lives.firstExpiry(request, now);
  }

  /**
   * Returns whether all nodes that may still run have received the limit. Only then may another
   * instance be launched, because their earlier expiry pays for it.
   */
  boolean haveAllHeard(Collection<Rental> rentals) {
    Instant now = context.now();
    return rentals.stream().filter(Rental::mayLiveOn).allMatch(rental -> hasHeard(rental, now));
  }

  private boolean hasHeard(Rental rental, Instant now) {
    Optional<Instant> last = Optional.ofNullable(rental.expires);
    return lives.isWithinLimit(rental.lease(), launched(rental, now), last);
  }

  /** Renews the nodes that are due, with one call for those with the same expiry. */
  void renew(Collection<Rental> rentals) {
    Instant now = context.now();
    Map<Instant, List<Rental>> due =
        rentals.stream()
            .filter(rental -> rental.wanted && rental.isUp() && isDue(rental, now))
            .collect(Collectors.groupingBy(rental -> end(rental, now)));
    due.forEach((end, some) -> renew(some, end, now));
  }

  private Instant end(Rental rental, Instant now) {
    return lives.nextExpiry(rental.lease(), deadMan(rental), launched(rental, now), now);
  }

  private boolean isDue(Rental rental, Instant now) {
    Optional<Instant> last = Optional.ofNullable(rental.renewed);
    return lives.isDue(last, deadMan(rental), launched(rental, now), now);
  }

  private static Instant launched(Rental rental, Instant otherwise) {
    return rental.instance().map(Ec2Instance::launched).orElse(otherwise);
  }

  private static Duration deadMan(Rental rental) {
    return rental.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
  }

  private void renew(List<Rental> rentals, Instant end, Instant now) {
    rentals.forEach(rental -> rental.renewed = now);
    String expires = Long.toString(end.getEpochSecond());
    List<String> ids =
        rentals.stream().flatMap(r -> r.instance().stream()).map(Ec2Instance::id).toList();
    context
        .asker()
        .call(
            () -> {
              context.ec2().tag(ids, Map.of(Tags.EXPIRES, expires));
              return ids;
            },
            renewed -> {
              rentals.forEach(rental -> recordRenewal(rental, end, now));
              LOG.debug("Renewed {} until {}", renewed, expires);
            },
            failure -> failed(rentals, failure));
  }

  /** Records a renewal. If another call was made meanwhile, the effective expiry is unknown. */
  private static void recordRenewal(Rental rental, Instant end, Instant sent) {
    if (sent.equals(rental.renewed)) {
      rental.expires = end;
    } else {
      rental.renewed = Instant.EPOCH;
    }
  }

  private void failed(List<Rental> rentals, CloudFailure failure) {
    LOG.warn("Renewing the expiry of {} nodes failed: {}", rentals.size(), failure.message());
    Instant now = context.now();
    Duration soon = context.pace().again();
    rentals.forEach(
        rental -> rental.renewed = lives.lastRenewalAfterFailure(deadMan(rental), soon, now));
  }
}
