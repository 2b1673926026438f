package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.aws.account.Ec2Instance;
import io.elastune.provisioner.aws.account.InstanceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reports state changes of instances as events. */
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

  /** Processes EC2's description of an instance; ignores a state older than the known one. */
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
      handleStopped(rental, seen, first);
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
    reportRunning(rental, seen);
    rental.boot().start(context.now());
    mismatch(rental, seen).ifPresent(message -> lose(rental, LossReason.FAILED, message));
    price.read(rental, seen);
  }

  private void reportRunning(Rental rental, Ec2Instance seen) {
    rental.toldRunning = true;
    context.tell(new CloudEvent.Running(rental.lease(), seen.id(), seen.launched()));
  }

  /** Compares the instance with the request: the plan's price holds only for the planned type. */
  private static Optional<String> mismatch(Rental rental, Ec2Instance seen) {
    Optional<Offer> asked = rental.request().map(LeaseRequest::offer);
    return asked
        .filter(o -> !o.instanceType().equals(seen.type()) || o.market() != seen.market())
        .map(
            o ->
                "EC2 launched %s %s instead of %s %s; releasing it"
                    .formatted(
                        seen.market().word(), seen.type(), o.market().word(), o.instanceType()));
  }

  private void handleStopped(Rental rental, Ec2Instance seen, boolean first) {
    boolean over = seen.state() == InstanceState.TERMINATED;
    if (rental.wanted && first && !rental.toldRunning) {
      reportRunning(rental, seen); // adopted after its end: unknown whether it ever ran
    } else if (rental.wanted && !rental.toldLost) {
      boolean preempted = seen.reason().startsWith(SPOT_ENDED);
      lose(
          rental,
          preempted ? LossReason.PREEMPTED : LossReason.FAILED,
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
      ender.end(seen.id()); // the disks of a stopped instance are still billed
    }
  }

  void lose(Rental rental, LossReason lossReason, String message) {
    rental.toldLost = true;
    if (lossReason == LossReason.PREEMPTED) {
      context.preempted(rental);
    }
    context.tell(new CloudEvent.Lost(rental.lease(), lossReason, message, context.now()));
  }

  /**
   * Queries an instance by id that has been missing in EC2's lists for a while. EC2 drops instances
   * about an hour after their end, and this process may have been suspended meanwhile.
   */
  void missing(Rental rental, Ec2Instance known, Instant asked) {
    Duration missing = Duration.between(latest(rental.shown, known.launched()), asked);
    if (missing.compareTo(context.pace().settle()) < 0) {
      return;
    }
    rental.shown = asked; // queried by id now, and not again for some time
    context
        .asker()
        .call(
            () -> context.ec2().withIds(List.of(known.id())),
            found -> found.forEach(instance -> see(rental, instance)),
            failure -> {
              if (failure instanceof CloudFailure.Invalid && rental.open()) {
                reportDropped(rental, known, asked.minus(missing));
              }
            });
  }

  /** Reports the end of an instance that EC2 has dropped: at the latest its dead-man time. */
  private void reportDropped(Rental rental, Ec2Instance known, Instant seenLast) {
    if (rental.wanted && !rental.toldLost) {
      lose(rental, LossReason.FAILED, "EC2 no longer lists the instance " + known.id());
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
