package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.Life;
import io.elastune.provisioner.gcp.account.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Tells what becomes of an instance, from what Google shows of it. */
final class Watcher {
  private final ProjectContext context;
  private final Ender ender;

  Watcher(ProjectContext context, Ender ender) {
    this.context = context;
    this.ender = ender;
  }

  /** Takes in how Google shows the rental's instance; an older state than known is stale. */
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
      rental.phase = Rental.Phase.RENTED; // what is only coming may yet fail to come
    }
    if (!rental.wanted) {
      ender.end(seen.zone(), seen.name(), seen.id());
    } else if (seen.life() == Life.RUNNING) {
      running(rental, seen);
    } else if (!seen.life().isUp()) {
      down(rental, seen, first);
    }
  }

  private void running(Rental rental, GceInstance seen) {
    if (rental.toldRunning) {
      return;
    }
    tellRunning(rental, seen.path(), seen.created());
    rental.boot().begin(context.now());
    mismatch(rental, seen).ifPresent(message -> lose(rental, Loss.FAILED, message));
  }

  /** The creation's own time, which is never later than that from which Google bills. */
  private void tellRunning(Rental rental, String path, Instant otherwise) {
    rental.toldRunning = true;
    Instant at = rental.insertion().map(Operation::requested).orElse(otherwise);
    context.tell(new CloudEvent.Running(rental.lease(), path, at));
  }

  /** What was rented is read back: the plan's price holds for what was planned only. */
  private static Optional<String> mismatch(Rental rental, GceInstance seen) {
    Optional<Offer> asked = rental.request().map(LeaseRequest::offer);
    return asked
        .filter(o -> !o.instanceType().equals(seen.type()) || o.market() != seen.market())
        .map(
            o ->
                "Google gave %s %s instead of %s %s; it is given back"
                    .formatted(
                        seen.market().word(), seen.type(), o.market().word(), o.instanceType()));
  }

  private void down(Rental rental, GceInstance seen, boolean first) {
    if (first && !rental.toldRunning) {
      tellRunning(rental, seen.path(), seen.created()); // taken up late: whether it ran is unknown
    }
    if (seen.life() == Life.STOPPED) {
      why(rental, seen, history -> lost(rental, seen, history));
      ender.end(seen.zone(), seen.name(), seen.id()); // a stopped instance still pays for its disk
    } else if (seen.market() == io.elastune.core.offer.Market.SPOT && !rental.toldLeaving) {
      why(rental, seen, history -> leaving(rental, seen, history));
    }
  }

  private void why(Rental rental, GceInstance seen, java.util.function.Consumer<History> answer) {
    if (rental.asksWhy || rental.toldLost) {
      return;
    }
    rental.asksWhy = true;
    context
        .asker()
        .ask(
            () -> new History(context.compute().history(seen.name())),
            history -> {
              rental.asksWhy = false;
              if (rental.wanted && rental.open()) {
                answer.accept(history);
              }
            },
            failure -> rental.asksWhy = false); // asked again at the next look
  }

  private void leaving(Rental rental, GceInstance seen, History history) {
    if (history.isPreempted() && !rental.toldLeaving) {
      rental.toldLeaving = true;
      context.preempted(rental);
      context.tell(
          new CloudEvent.Leaving(
              rental.lease(),
              "Google has given notice: it takes " + seen.path() + " back within 30 seconds",
              context.now()));
    }
  }

  private void lost(Rental rental, GceInstance seen, History history) {
    if (!rental.toldLost) {
      lose(
          rental,
          history.isPreempted() ? Loss.PREEMPTED : Loss.FAILED,
          "the instance %s is %s%s"
              .formatted(
                  seen.path(), seen.status(), history.cause().map(word -> ": " + word).orElse("")));
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
   * Looks closer at an instance that Google's list has not had: only who is told that there is none
   * of that name, and that it was deleted, has been told that it has ended.
   */
  void missing(Rental rental, String zone, Instant asked) {
    if (rental.closerLook) {
      return;
    }
    rental.closerLook = true;
    context
        .asker()
        .ask(
            () -> context.compute().find(zone, rental.name()),
            found -> {
              rental.closerLook = false;
              if (found.isPresent()) {
                rental.shown = asked;
                see(rental, found.get());
              } else if (rental.open()) {
                gone(rental, zone, Optional.empty());
              }
            },
            failure -> rental.closerLook = false);
  }

  /** There is no instance of that name in that zone: since when, its history tells. */
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
        .ask(
            () -> new History(context.compute().history(rental.name())),
            history -> gone(rental, zone, history),
            failure -> {}); // asked again at the next look
  }

  private void gone(Rental rental, String zone, History history) {
    if (!rental.open()) {
      return;
    }
    Optional<Instant> end = history.end();
    Instant now = context.now();
    Instant last = rental.shown.equals(Instant.EPOCH) ? rental.soughtSince : rental.shown;
    boolean settled = Duration.between(last, now).compareTo(context.pace().settle()) >= 0;
    if (end.isEmpty() && !settled) {
      return; // what has told of it may lag behind
    }
    if (rental.wanted) {
      ended(rental, zone, history);
    }
    context.gone(rental, end.orElseGet(() -> latestEnd(rental, last, now)));
  }

  /** Tells what was not told yet of an instance that is no more. */
  private void ended(Rental rental, String zone, History history) {
    boolean made = rental.instance().isPresent() || rental.insertion().isPresent();
    if (made && !rental.toldRunning) {
      tellRunning(rental, zone + "/" + rental.name(), context.now());
    } else if (made && !rental.toldLost) {
      lose(
          rental,
          history.isPreempted() ? Loss.PREEMPTED : Loss.FAILED,
          "the instance %s/%s is no more%s"
              .formatted(zone, rental.name(), history.cause().map(word -> ": " + word).orElse("")));
    }
  }

  /** It ended when its dead-man timer ended it, at the latest. */
  private Instant latestEnd(Rental rental, Instant seenLast, Instant now) {
    Duration deadMan = rental.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
    Instant latest = seenLast.plus(deadMan).plus(context.pace().renew());
    return latest.isBefore(now) ? latest : now;
  }
}
