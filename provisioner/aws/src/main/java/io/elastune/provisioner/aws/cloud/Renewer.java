package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.account.Ec2Instance;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
  private LifeLimit limit = LifeLimit.NONE;

  Renewer(RegionContext context) {
    this.context = context;
  }

  /** All are to be told of it at once, and those still to come from their launch on. */
  void limitLives(LifeLimit other, Collection<Rental> rentals) {
    limit = other;
    rentals.forEach(rental -> rental.renewed = Instant.EPOCH);
  }

  /** By when one that is launched now is to end, until it is told of another time. */
  Instant endOfLaunched(LeaseRequest request, Instant now) {
    Instant usual = now.plus(request.deadMan()).plus(context.pace().renew());
    return seconds(earlier(usual, limit.endOf(request.lease(), now)));
  }

  private static Instant seconds(Instant end) {
    return end.truncatedTo(ChronoUnit.SECONDS);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  /**
   * Whether all that may live on have been told of the limit: only then may another be launched,
   * which their shorter lives have to pay for.
   */
  boolean haveAllHeard(Collection<Rental> rentals) {
    Instant now = context.now();
    return !limit.exists()
        || rentals.stream().filter(Rental::mayLiveOn).allMatch(rental -> hasHeard(rental, now));
  }

  private boolean hasHeard(Rental rental, Instant now) {
    Instant start = rental.instance().map(Ec2Instance::launched).orElse(now);
    return rental.expires != null && limit.isKept(rental.lease(), start, rental.expires);
  }

  /** Renews what is due among these, those that end at the same moment with one call. */
  void renew(Collection<Rental> rentals) {
    Instant now = context.now();
    Map<Instant, List<Rental>> due =
        rentals.stream()
            .filter(rental -> rental.wanted && rental.isUp() && isDue(rental, now))
            .collect(Collectors.groupingBy(rental -> end(rental, now)));
    due.forEach((end, some) -> renew(some, end, now));
  }

  /** EC2 itself says when it was launched, so that a start is no matter of our clock. */
  private Instant end(Rental rental, Instant now) {
    Instant usual = now.plus(deadMan(rental)).plus(interval(deadMan(rental)));
    Instant launched = rental.instance().map(Ec2Instance::launched).orElse(now);
    return seconds(earlier(usual, limit.endOf(rental.lease(), launched)));
  }

  /** The launch itself has set the tag; of one that was taken up, EC2 tells how long ago. */
  private boolean isDue(Rental rental, Instant now) {
    Instant last = rental.renewed;
    if (last == null && limit.exists()) {
      return true; // it was launched with a tag that rests on our clock, or knows of no limit
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

  private void renew(List<Rental> rentals, Instant end, Instant now) {
    rentals.forEach(rental -> rental.renewed = now);
    String expires = Long.toString(end.getEpochSecond());
    List<String> ids =
        rentals.stream().flatMap(r -> r.instance().stream()).map(Ec2Instance::id).toList();
    context
        .asker()
        .ask(
            () -> {
              context.ec2().tag(ids, Map.of(Tags.EXPIRES, expires));
              return ids;
            },
            renewed -> {
              rentals.forEach(rental -> heard(rental, end, now));
              LOG.debug("{} live on until {}", renewed, expires);
            },
            failure -> failed(rentals, failure));
  }

  /** If another call is under way or over, nobody knows which of the two came last. */
  private static void heard(Rental rental, Instant end, Instant sent) {
    if (sent.equals(rental.renewed)) {
      rental.expires = end;
    } else {
      rental.renewed = Instant.EPOCH;
    }
  }

  private void failed(List<Rental> rentals, CloudFailure failure) {
    LOG.warn("the time of {} nodes is not put off: {}", rentals.size(), failure.message());
    for (Rental rental : rentals) {
      Duration interval = interval(deadMan(rental));
      rental.renewed = context.now().minus(interval).plus(context.pace().again()); // soon again
    }
  }
}
