package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Refusal;
import io.elastune.provisioner.gcp.account.InsertOrder;
import io.elastune.provisioner.gcp.account.Operation;
import io.elastune.provisioner.gcp.account.Place;
import io.elastune.provisioner.gcp.account.RegionSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Makes what is queued: one call for each instance, as many as Google allows, zone after zone where
 * there is no capacity. That a call went well means little: the operation that it began may fail.
 */
final class Launcher {
  private final ProjectContext context;
  private final Awaited awaited;
  private final Renewer renewer;
  private final Orders orders;
  private final Map<String, List<String>> zonesOf = new HashMap<>();
  private final Set<String> asked = new HashSet<>();

  /** Is told of what has been made. */
  private final Consumer<Rental> made;

  /** Whether something of ours is about to end, and may use a quota up until then. */
  private final BooleanSupplier ending;

  Launcher(
      ProjectContext context,
      Awaited awaited,
      Renewer renewer,
      Consumer<Rental> made,
      BooleanSupplier ending) {
    this.context = context;
    this.ending = ending;
    this.awaited = awaited;
    this.made = made;
    this.renewer = renewer;
    orders = new Orders(context);
  }

  /** Makes as many of these as may be made now. */
  void launch(List<Rental> queued) {
    for (Rental rental : queued) {
      Optional<LeaseRequest> request = rental.request();
      if (request.isPresent() && !launch(rental, request.get())) {
        return;
      }
    }
  }

  /** Whether there may be another after this one. */
  private boolean launch(Rental rental, LeaseRequest request) {
    Instant now = context.now();
    if (rental.order == null) {
      Optional<List<String>> zones = zones(rental, request.offer());
      if (zones.isEmpty()) {
        return true;
      }
      List<Optional<String>> left =
          context.zones().toAsk(request, zones.get().stream().map(Optional::of).toList(), now);
      if (left.isEmpty()) {
        refuse(rental, Refusal.CAPACITY, noZone(rental, request.offer(), zones.get()));
        return true;
      }
      if (!context.changes().take(now)) {
        return false;
      }
      Instant expires = renewer.endOfOrdered(request, now);
      rental.order = orders.order(request, left.get(0).orElseThrow(), rental.failures, expires);
      rental.expires = expires;
    } else if (!context.changes().take(now)) {
      return false;
    }
    if (rental.firstTried == null) {
      rental.firstTried = now;
    }
    insert(rental, request.offer(), rental.order);
    return true;
  }

  /** Where to try, in order; empty as long as Google has not told which zones there are. */
  private Optional<List<String>> zones(Rental rental, Offer offer) {
    Place place = Place.parse(offer.infra()).orElseThrow();
    RegionSettings settings = context.settings().get(place.region());
    if (place.zone().isPresent()) {
      return Optional.of(List.of(place.zone().get()));
    }
    if (settings != null && !settings.zones().isEmpty()) {
      return Optional.of(settings.zones());
    }
    List<String> known = zonesOf.get(place.region());
    if (known == null && asked.add(place.region())) {
      context
          .asker()
          .ask(
              () -> context.compute().zones(place.region()),
              found -> zonesOf.put(place.region(), found),
              failure -> {
                asked.remove(place.region());
                if (failure instanceof CloudFailure.Permission) {
                  refuse(rental, Refusal.PERMISSION, failure.message());
                } else if (failure instanceof CloudFailure.Invalid) {
                  refuse(rental, Refusal.INVALID, failure.message());
                }
              });
    }
    return Optional.ofNullable(known);
  }

  private String noZone(Rental rental, Offer offer, List<String> zones) {
    String what = offer.instanceType() + " (" + offer.market().word() + ")";
    String where = zones.size() == 1 ? "in " + offer.infra() : "in any zone of " + offer.infra();
    String tried =
        rental.firstTried == null || rental.refusedBy.isEmpty()
            ? "; its zones said so less than " + context.pace().remember().toMinutes() + " min ago"
            : "; asked %s within %d s: %s"
                .formatted(
                    String.join(", ", rental.refusedBy),
                    Duration.between(rental.firstTried, context.now()).toSeconds() + 1,
                    rental.refusal);
    return what
        + " is not to be had "
        + where
        + " at present"
        + tried
        + "; another instance type, region or market may have it, or the same one later";
  }

  private void insert(Rental rental, Offer offer, InsertOrder order) {
    rental.phase = Rental.Phase.INSERTING;
    rental.besideEnding = ending.getAsBoolean();
    context
        .asker()
        .ask(
            () -> {
              String region = Place.regionOf(order.zone());
              order
                  .policy()
                  .ifPresent(some -> context.compute().makePolicy(region, some, run(rental)));
              return context.compute().insert(order);
            },
            begun -> begun(rental, offer, begun),
            failure -> {
              if (rental.in(Rental.Phase.INSERTING)) { // else a list has shown it meanwhile
                failure.match(new Failed(rental, offer, order.zone(), false));
              }
            });
  }

  private static String run(Rental rental) {
    return rental.run().orElseThrow();
  }

  private void begun(Rental rental, Offer offer, Operation operation) {
    if (rental.in(Rental.Phase.INSERTING)) {
      rental.phase = Rental.Phase.COMING;
    }
    rental.insertion = operation;
    awaited.add(operation, over -> over(rental, offer, over));
    if (!rental.wanted) {
      made.accept(rental);
    }
  }

  private void over(Rental rental, Offer offer, Operation operation) {
    if (operation.hasSucceeded()) {
      rental.insertion = operation;
      made.accept(rental);
    } else if (rental.in(Rental.Phase.COMING)) {
      rental.failures++;
      rental.insertion = null;
      rental.instance = null; // seen while it was being made: it is not to come any more
      operation.failure().orElseThrow().match(new Failed(rental, offer, operation.zone(), true));
    }
  }

  /** Says that nothing is rented; of what was released meanwhile, that it has ended. */
  void refuse(Rental rental, Refusal refusal, String message) {
    Instant now = context.now();
    if (!rental.wanted) {
      context.gone(rental, now);
      return;
    }
    rental.phase = Rental.Phase.GONE;
    rental.goneAt = now;
    context.tell(new CloudEvent.Refused(rental.lease(), refusal, message, now));
  }

  /** What follows from each way in which an insertion can fail. */
  private final class Failed implements CloudFailure.Visitor<Rental> {
    private final Rental rental;
    private final Offer offer;
    private final String zone;
    private final boolean begun;

    /** {@code begun}: whether the call went well, and what it began has failed. */
    Failed(Rental rental, Offer offer, String zone, boolean begun) {
      this.rental = rental;
      this.offer = offer;
      this.zone = zone;
      this.begun = begun;
    }

    @Override
    public Rental capacity(CloudFailure.Capacity failure) {
      return elsewhere(failure);
    }

    private Rental elsewhere(CloudFailure failure) {
      context.zones().refused(offer, Optional.of(zone), context.now());
      rental.refusedBy.add(zone);
      rental.refusal = failure.message();
      rental.order = null;
      return queuedAgain();
    }

    @Override
    public Rental quota(CloudFailure.Quota failure) {
      if (!rental.besideEnding && !ending.getAsBoolean()) {
        return refusedBecause(Refusal.QUOTA, failure);
      }
      rental.notBefore = context.now().plus(context.pace().again());
      rental.order = null; // the same id would be given the same answer
      return queuedAgain();
    }

    @Override
    public Rental permission(CloudFailure.Permission failure) {
      return refusedBecause(Refusal.PERMISSION, failure);
    }

    @Override
    public Rental invalid(CloudFailure.Invalid failure) {
      return refusedBecause(Refusal.INVALID, failure);
    }

    @Override
    public Rental throttled(CloudFailure.Throttled failure) {
      context.changes().close(context.now(), context.pace().backOff());
      if (begun) { // the same id would be given the same answer
        rental.order = null;
      }
      return queuedAgain();
    }

    /** What Google has begun and given up is not there, and may go well in another zone. */
    @Override
    public Rental unknownOutcome(CloudFailure.UnknownOutcome failure) {
      if (begun) {
        return elsewhere(failure);
      }
      rental.seek(Rental.Phase.UNKNOWN, context.now());
      return rental;
    }

    private Rental refusedBecause(Refusal refusal, CloudFailure failure) {
      refuse(rental, refusal, failure.message());
      return rental;
    }

    private Rental queuedAgain() {
      if (rental.wanted) {
        rental.phase = Rental.Phase.QUEUED;
      } else {
        context.gone(rental, context.now());
      }
      return rental;
    }
  }
}
