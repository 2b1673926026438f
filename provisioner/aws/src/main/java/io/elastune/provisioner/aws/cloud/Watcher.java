package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.aws.account.Ec2Instance;
import io.elastune.provisioner.aws.account.InstanceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Tells what becomes of an instance, from what EC2 describes and from what the node says. */
final class Watcher {
  private static final String SPOT_ENDED = "Server.Spot";

  private final RegionContext context;
  private final Ender ender;
  private final ChargedPrice price;

  Watcher(RegionContext context, Ender ender) {
    this.context = context;
    this.ender = ender;
    price = new ChargedPrice(context);
  }

  /** Takes in how EC2 describes the rental's instance; an older state than known is stale. */
  void see(Rental rental, Ec2Instance seen) {
    boolean first = rental.instance().isEmpty();
    if (rental.instance().filter(known -> seen.state().compareTo(known.state()) < 0).isPresent()) {
      return;
    }
    rental.instance = seen;
    rental.phase = Rental.Phase.RENTED;
    if (seen.state() == InstanceState.RUNNING) {
      running(rental, seen);
    } else if (!seen.state().isUp()) {
      down(rental, seen, first);
    }
    if (!rental.wanted
        && seen.state() != InstanceState.TERMINATED
        && seen.state() != InstanceState.SHUTTING_DOWN) {
      ender.end(seen.id());
    }
  }

  private void running(Rental rental, Ec2Instance seen) {
    if (!rental.wanted || rental.toldRunning) {
      return;
    }
    tellRunning(rental, seen);
    rental.boot().begin(context.now());
    mismatch(rental, seen).ifPresent(message -> lose(rental, Loss.FAILED, message));
    price.read(rental, seen);
  }

  private void tellRunning(Rental rental, Ec2Instance seen) {
    rental.toldRunning = true;
    context.tell(new CloudEvent.Running(rental.lease(), seen.id(), seen.launched()));
  }

  /** What was rented is read back: the plan's price holds for what was planned only. */
  private static Optional<String> mismatch(Rental rental, Ec2Instance seen) {
    Optional<Offer> asked = rental.request().map(LeaseRequest::offer);
    return asked
        .filter(o -> !o.instanceType().equals(seen.type()) || o.market() != seen.market())
        .map(
            o ->
                "EC2 gave %s %s instead of %s %s; it is given back"
                    .formatted(
                        seen.market().word(), seen.type(), o.market().word(), o.instanceType()));
  }

  private void down(Rental rental, Ec2Instance seen, boolean first) {
    boolean over = seen.state() == InstanceState.TERMINATED;
    if (rental.wanted && first && !rental.toldRunning) {
      tellRunning(rental, seen); // taken up after its end: whether it ever ran is not known
    } else if (rental.wanted && !rental.toldLost) {
      boolean preempted = seen.reason().startsWith(SPOT_ENDED);
      lose(
          rental,
          preempted ? Loss.PREEMPTED : Loss.FAILED,
          "the instance "
              + seen.id()
              + " is "
              + seen.state().word()
              + (seen.reason().isEmpty() ? "" : ": " + seen.reason()));
    }
    if (over) {
      ender.ended(seen.id());
      rental.goneAt = EndTimes.of(seen).orElseGet(context::now);
      context.gone(rental, rental.goneAt);
    } else if (seen.state() == InstanceState.SHUTTING_DOWN) {
      ender.ended(seen.id());
    } else {
      ender.end(seen.id()); // a stopped instance still pays for its disks
    }
  }

  void lose(Rental rental, Loss loss, String message) {
    rental.toldLost = true;
    if (loss == Loss.PREEMPTED) {
      context.preempted(rental);
    }
    context.tell(new CloudEvent.Lost(rental.lease(), loss, message, context.now()));
  }

  /**
   * Looks closer at an instance that EC2's list has not had for a while: EC2 forgets instances
   * about an hour after their end, which we may have slept through.
   */
  void missing(Rental rental, Ec2Instance known, Instant asked) {
    Duration missing = Duration.between(latest(rental.shown, known.launched()), asked);
    if (missing.compareTo(context.pace().settle()) < 0) {
      return;
    }
    rental.shown = asked; // asked for by its id, and for some time not again
    context
        .asker()
        .ask(
            () -> context.ec2().withIds(List.of(known.id())),
            found -> found.forEach(instance -> see(rental, instance)),
            failure -> {
              if (failure instanceof CloudFailure.Invalid && rental.open()) {
                forgotten(rental, known, asked.minus(missing));
              }
            });
  }

  /** It ended when its dead-man timer ended it, at the latest. */
  private void forgotten(Rental rental, Ec2Instance known, Instant seenLast) {
    if (rental.wanted && !rental.toldLost) {
      lose(rental, Loss.FAILED, "EC2 does not know the instance " + known.id() + " any more");
    }
    Duration deadMan = rental.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
    Instant latestEnd = seenLast.plus(deadMan).plus(context.pace().renew());
    Instant now = context.now();
    ender.ended(known.id());
    context.gone(rental, latestEnd.isBefore(now) ? latestEnd : now);
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
