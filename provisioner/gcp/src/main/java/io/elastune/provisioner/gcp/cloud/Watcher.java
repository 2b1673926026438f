package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.Life;
import io.elastune.provisioner.gcp.account.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reports state changes of instances from what Google lists. */
final class Watcher {
  private final ProjectContext context;
  private final Ender ender;

  Watcher(ProjectContext context, Ender ender) {
    this.context = context;
    this.ender = ender;
  }

  /**
   * Processes the observed state of a lease's instance. Ignores a state older than the known one.
   */
  void see(Rental rental, GceInstance seen) {
    boolean stale =
        rental
            .instance()
            .filter(known -> known.id().equals(seen.id()))
            .filter(known -> seen.life().compareTo(known.life()) < 0)
            .isPresent();
    if (stale) {
      return;
    }
    boolean first = rental.instance().isEmpty();
    rental.instance = seen;
    if (!rental.in(Rental.Phase.COMING) || seen.life() != Life.COMING) {
      rental.phase = Rental.Phase.RENTED; // its creation may still fail
    }
    if (!rental.wanted) {
      ender.end(seen.zone(), seen.name(), seen.id());
    } else if (seen.life() == Life.RUNNING) {
      handleRunning(rental, seen);
    } else if (!seen.life().isUp()) {
      handleStop(rental, seen, first);
    }
  }

  private void handleRunning(Rental rental, GceInstance seen) {
    if (rental.toldRunning) {
      return;
    }
    reportRunning(rental, seen.path(), seen.created());
    rental.boot().start(context.now());
    mismatch(rental, seen).ifPresent(message -> lose(rental, LossReason.FAILED, message));
  }

  /**
   * Reports the instance as running since its creation was requested, which is never later than the
   * start of billing.
   */
  private void reportRunning(Rental rental, String path, Instant otherwise) {
    rental.toldRunning = true;
    Instant at = rental.insertion().map(Operation::requested).orElse(otherwise);
    context.tell(new CloudEvent.Running(rental.lease(), path, at));
  }

  /**
   * Compares the instance with the request: the plan's price holds only for the requested type and
   * market.
   */
  private static Optional<String> mismatch(Rental rental, GceInstance seen) {
    Optional<Offer> requested = rental.request().map(LeaseRequest::offer);
    return requested
        .filter(o -> !o.instanceType().equals(seen.type()) || o.market() != seen.market())
        .map(
            o ->
                "Google created %s %s instead of %s %s; releasing it"
                    .formatted(
                        seen.market().word(), seen.type(), o.market().word(), o.instanceType()));
  }

  private void handleStop(Rental rental, GceInstance seen, boolean first) {
    if (first && !rental.toldRunning) {
      // Adopted late: whether it ever ran is unknown.
      reportRunning(rental, seen.path(), seen.created());
    }
    if (seen.life() == Life.STOPPED) {
      readHistory(rental, seen, history -> reportLost(rental, seen, history));
      ender.end(seen.zone(), seen.name(), seen.id()); // the disk of a stopped instance is billed
    } else if (seen.market() == io.elastune.core.offer.Market.SPOT && !rental.toldLeaving) {
      readHistory(rental, seen, history -> reportNotice(rental, seen, history));
    }
  }

  private void readHistory(
      Rental rental, GceInstance seen, java.util.function.Consumer<History> answer) {
    if (rental.asksWhy || rental.toldLost) {
      return;
    }
    rental.asksWhy = true;
    context
        .asker()
        .call(
            () -> new History(context.compute().history(seen.name())),
            history -> {
              rental.asksWhy = false;
              if (rental.wanted && rental.open()) {
                answer.accept(history);
              }
            },
            failure -> rental.asksWhy = false); // retried after the next list
  }

  private void reportNotice(Rental rental, GceInstance seen, History history) {
    if (history.isPreempted() && !rental.toldLeaving) {
      rental.toldLeaving = true;
      context.preempted(rental);
      context.tell(
          new CloudEvent.Leaving(
              rental.lease(),
              "Google gave notice that it will preempt " + seen.path() + " within 30 seconds",
              context.now()));
    }
  }

  private void reportLost(Rental rental, GceInstance seen, History history) {
    if (!rental.toldLost) {
      lose(
          rental,
          history.isPreempted() ? LossReason.PREEMPTED : LossReason.FAILED,
          "the instance %s is %s%s"
              .formatted(
                  seen.path(), seen.status(), history.cause().map(word -> ": " + word).orElse("")));
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
   * Looks up an instance that is missing from Google's list. It has ended only if a lookup by name
   * does not find it and its deletion is confirmed.
   */
  void missing(Rental rental, String zone, Instant listed) {
    if (rental.closerLook) {
      return;
    }
    rental.closerLook = true;
    context
        .asker()
        .call(
            () -> context.compute().find(zone, rental.name()),
            found -> {
              rental.closerLook = false;
              if (found.isPresent()) {
                rental.shown = listed;
                see(rental, found.get());
              } else if (rental.open()) {
                gone(rental, zone, Optional.empty());
              }
            },
            failure -> rental.closerLook = false);
  }

  /** Handles an instance that no longer exists. Its operation history contains the end time. */
  void gone(Rental rental, String zone, Optional<Instant> at) {
    if (!rental.open()) {
      return;
    }
    if (at.isPresent() && !rental.wanted) {
      context.gone(rental, at.get());
      return;
    }
    context
        .asker()
        .call(
            () -> new History(context.compute().history(rental.name())),
            history -> gone(rental, zone, history),
            failure -> {}); // retried after the next list
  }

  private void gone(Rental rental, String zone, History history) {
    if (!rental.open()) {
      return;
    }
    Optional<Instant> end = history.end();
    Instant now = context.now();
    Instant last = rental.shown.equals(Instant.EPOCH) ? rental.soughtSince : rental.shown;
    boolean isConclusive = Duration.between(last, now).compareTo(context.pace().settle()) >= 0;
    if (end.isEmpty() && !isConclusive) {
      return; // the history may lag behind
    }
    if (rental.wanted) {
      reportEnd(rental, zone, history);
    }
    context.gone(rental, end.orElseGet(() -> latestEnd(rental, last, now)));
  }

  /** Reports the events that are missing for an instance that no longer exists. */
  private void reportEnd(Rental rental, String zone, History history) {
    boolean made = rental.instance().isPresent() || rental.insertion().isPresent();
    if (made && !rental.toldRunning) {
      reportRunning(rental, zone + "/" + rental.name(), context.now());
    } else if (made && !rental.toldLost) {
      lose(
          rental,
          history.isPreempted() ? LossReason.PREEMPTED : LossReason.FAILED,
          "the instance %s/%s no longer exists%s"
              .formatted(zone, rental.name(), history.cause().map(word -> ": " + word).orElse("")));
    }
  }

  /** Returns the latest possible end, at which its dead-man timer shut it down. */
  private Instant latestEnd(Rental rental, Instant seenLast, Instant now) {
    Duration deadMan = rental.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
    Instant latest = seenLast.plus(deadMan).plus(context.pace().renew());
    return latest.isBefore(now) ? latest : now;
  }
}
