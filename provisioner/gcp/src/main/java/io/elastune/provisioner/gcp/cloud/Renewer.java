package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.GceInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps nodes alive: their dead-man timers read a time, which is put off over and over. */
final class Renewer {
  private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);

  private final ProjectContext context;
  private final Awaited awaited;
  private LifeLimit limit = LifeLimit.NONE;

  Renewer(ProjectContext context, Awaited awaited) {
    this.context = context;
    this.awaited = awaited;
  }

  /** All are to be told of it at once, and those still to come from the order on. */
  void limitLives(LifeLimit other, Collection<Rental> rentals) {
    limit = other;
    rentals.forEach(rental -> rental.renewed = Instant.EPOCH);
  }

  /** By when one that is ordered now is to end, until it is told of another time. */
  Instant endOfOrdered(LeaseRequest request, Instant now) {
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
   * Whether all that may live on have been told of the limit: only then may another be made, which
   * their shorter lives have to pay for.
   */
  boolean haveAllHeard(Collection<Rental> rentals) {
    Instant now = context.now();
    return !limit.exists()
        || rentals.stream().filter(Rental::mayLiveOn).allMatch(rental -> hasHeard(rental, now));
  }

  private boolean hasHeard(Rental rental, Instant now) {
    Instant start = rental.instance().map(GceInstance::created).orElse(now);
    return rental.expires != null && limit.isKept(rental.lease(), start, rental.expires);
  }

  /** Renews what is due among these, each with a call of its own: Google has none for several. */
  void renew(Collection<Rental> rentals) {
    Instant now = context.now();
    List<Rental> due =
        rentals.stream()
            .filter(rental -> rental.wanted && rental.isUp() && isDue(rental, now))
            .takeWhile(rental -> context.changes().take(now))
            .toList();
    due.forEach(rental -> rental.instance().ifPresent(node -> renew(rental, node, now)));
  }

  /** Making it has set the time; of what was taken up, Google tells how long ago that was. */
  private boolean isDue(Rental rental, Instant now) {
    Instant last = rental.renewed;
    if (last == null && limit.exists()) {
      return true; // it was made with a time that rests on our clock, or knows of no limit
    }
    if (last == null) {
      last = rental.instance().map(GceInstance::created).orElse(now);
    }
    return !now.isBefore(last.plus(interval(rental)));
  }

  private static Duration deadMan(Rental rental) {
    return rental.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
  }

  /** Half the dead-man time at most, so that one renewal may fail. */
  private Duration interval(Rental rental) {
    Duration half = deadMan(rental).dividedBy(2);
    return half.compareTo(context.pace().renew()) < 0 ? half : context.pace().renew();
  }

  private void renew(Rental rental, GceInstance node, Instant now) {
    rental.renewed = now;
    Instant usual = now.plus(deadMan(rental)).plus(interval(rental));
    // Google itself says when it was made, so that a start is no matter of our clock.
    Instant end = seconds(earlier(usual, limit.endOf(rental.lease(), node.created())));
    String expires = Long.toString(end.getEpochSecond());
    context
        .asker()
        .ask(
            () -> context.compute().note(node.zone(), node.name(), Tags.EXPIRES, expires),
            begun ->
                awaited.add(
                    begun,
                    over ->
                        over.failure()
                            .ifPresentOrElse(
                                failure -> failed(rental, failure), () -> heard(rental, end, now))),
            failure -> failed(rental, failure));
  }

  /** If another call is under way or over, nobody knows which of the two came last. */
  private static void heard(Rental rental, Instant end, Instant sent) {
    if (sent.equals(rental.renewed)) {
      rental.expires = end;
    } else {
      rental.renewed = Instant.EPOCH;
    }
  }

  private void failed(Rental rental, CloudFailure failure) {
    LOG.warn("the time of {} is not put off: {}", rental.name(), failure.message());
    if (failure instanceof CloudFailure.Throttled) {
      context.changes().close(context.now(), context.pace().backOff());
    }
    rental.renewed = context.now().minus(interval(rental)).plus(context.pace().again());
  }
}
