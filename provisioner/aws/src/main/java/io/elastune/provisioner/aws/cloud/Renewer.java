package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.account.Ec2Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps nodes alive: their dead-man timers read a tag, which is put off time and again. */
final class Renewer {
  private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);

  private final RegionContext context;
  private Instant latest = Instant.MAX;

  Renewer(RegionContext context) {
    this.context = context;
  }

  /** All are to be told of that moment at once, and those still to come as soon as they are up. */
  void liveUntil(Instant moment, Collection<Rental> rentals) {
    latest = moment;
    rentals.forEach(rental -> rental.renewed = Instant.EPOCH);
  }

  /** Renews what is due among these, those of the same dead-man time with one call. */
  void renew(Collection<Rental> rentals) {
    Instant now = context.now();
    Map<Duration, List<Rental>> due =
        rentals.stream()
            .filter(rental -> rental.wanted && rental.isUp() && isDue(rental, now))
            .collect(Collectors.groupingBy(Renewer::deadMan));
    due.forEach((deadMan, some) -> renew(some, deadMan, now));
  }

  /** The launch itself has set the tag; of one that was taken up, EC2 tells how long ago. */
  private boolean isDue(Rental rental, Instant now) {
    Instant last = rental.renewed;
    if (last == null && latest.isBefore(Instant.MAX)) {
      return true; // it was launched with a tag that knows of no such moment
    }
    if (last == null) {
      last = rental.instance().map(Ec2Instance::launched).orElse(now);
    }
    return !now.isBefore(last.plus(interval(deadMan(rental))));
  }

  private static Duration deadMan(Rental rental) {
    return rental.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
  }

  /** Half the dead-man time at most, so that one renewal may fail. */
  private Duration interval(Duration deadMan) {
    Duration half = deadMan.dividedBy(2);
    return half.compareTo(context.pace().renew()) < 0 ? half : context.pace().renew();
  }

  private void renew(List<Rental> rentals, Duration deadMan, Instant now) {
    Duration interval = interval(deadMan);
    rentals.forEach(rental -> rental.renewed = now);
    Instant usual = now.plus(deadMan).plus(interval);
    Instant moment = latest.isBefore(usual) ? latest : usual;
    String expires = Long.toString(moment.getEpochSecond());
    List<String> ids =
        rentals.stream().flatMap(r -> r.instance().stream()).map(Ec2Instance::id).toList();
    context
        .asker()
        .ask(
            () -> {
              context.ec2().tag(ids, Map.of(Tags.EXPIRES, expires));
              return ids;
            },
            renewed -> LOG.debug("{} live on until {}", renewed, expires),
            failure -> failed(rentals, failure));
  }

  private void failed(List<Rental> rentals, CloudFailure failure) {
    LOG.warn("the time of {} nodes is not put off: {}", rentals.size(), failure.message());
    for (Rental rental : rentals) {
      Duration interval = interval(deadMan(rental));
      rental.renewed = context.now().minus(interval).plus(context.pace().again()); // soon again
    }
  }
}
