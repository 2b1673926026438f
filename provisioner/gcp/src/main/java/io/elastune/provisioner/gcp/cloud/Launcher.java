package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
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
 * Creates the instances of queued leases: one call for each, within the rate limit. Tries the next
 * zone if a zone has no capacity. A successful call is no confirmation, because the operation that
 * it starts may fail.
 */
final class Launcher {
  private final ProjectContext context;
  private final Awaited awaited;
  private final Renewer renewer;
  private final Orders orders;
  private final Map<String, List<String>> zonesOf = new HashMap<>();
  private final Set<String> regionsRequested = new HashSet<>();

  /** Receives leases whose instance is created. */
  private final Consumer<Rental> made;

  /** Whether an Elastune instance is ending. It may count against a quota until it has ended. */
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

  /** Launches as many of these leases as the rate limit allows. */
  void launch(List<Rental> queued) {
    for (Rental rental : queued) {
      Optional<LeaseRequest> request = rental.request();
      if (request.isPresent() && !launch(rental, request.get())) {
        return;
      }
    }
  }

  /** Returns whether the rate limit allows another launch. */
  private boolean launch(Rental rental, LeaseRequest request) {
    Instant now = context.now();
    if (rental.order == null) {
      Optional<List<String>> zones = zones(rental, request.offer());
      if (zones.isEmpty()) {
        return true;
      }
      List<Optional<String>> left =
          context.zones().zonesToTry(request, zones.get().stream().map(Optional::of).toList(), now);
      if (left.isEmpty()) {
        refuse(
            rental,
            RefusalReason.CAPACITY,
            noCapacityMessage(rental, request.offer(), zones.get()));
        return true;
      }
      if (!context.changes().tryAcquire(now)) {
        return false;
      }
      Instant expires = renewer.endOfOrdered(request, now);
      rental.order = orders.order(request, left.get(0).orElseThrow(), rental.failures, expires);
      rental.expires = expires;
    } else if (!context.changes().tryAcquire(now)) {
      return false;
    }
    if (rental.firstTried == null) {
      rental.firstTried = now;
    }
    insert(rental, request.offer(), rental.order);
    return true;
  }

  /** Returns the zones to try, in order; empty until Google has listed the zones of the region. */
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
    if (known == null && regionsRequested.add(place.region())) {
      context
          .asker()
          .call(
              () -> context.compute().zones(place.region()),
              found -> zonesOf.put(place.region(), found),
              failure -> {
                regionsRequested.remove(place.region());
                if (failure instanceof CloudFailure.Permission) {
                  refuse(rental, RefusalReason.PERMISSION, failure.message());
                } else if (failure instanceof CloudFailure.Invalid) {
                  refuse(rental, RefusalReason.INVALID, failure.message());
                }
              });
    }
    return Optional.ofNullable(known);
  }

  private String noCapacityMessage(Rental rental, Offer offer, List<String> zones) {
    String what = offer.instanceType() + " (" + offer.market().word() + ")";
    String where = zones.size() == 1 ? "in " + offer.infra() : "in all zones of " + offer.infra();
    String tried =
        rental.firstTried == null || rental.refusedBy.isEmpty()
            ? "; all its zones reported this less than "
                + context.pace().remember().toMinutes()
                + " min ago"
            : "; tried %s within %d s: %s"
                .formatted(
                    String.join(", ", rental.refusedBy),
                    Duration.between(rental.firstTried, context.now()).toSeconds() + 1,
                    rental.refusal);
    return what
        + " is unavailable "
        + where
        + tried
        + "; try another instance type, region or market, or try again later";
  }

  private void insert(Rental rental, Offer offer, InsertOrder order) {
    rental.phase = Rental.Phase.INSERTING;
    rental.besideEnding = ending.getAsBoolean();
    context
        .asker()
        .call(
            () -> {
              String region = Place.regionOf(order.zone());
              order
                  .policy()
                  .ifPresent(some -> context.compute().makePolicy(region, some, run(rental)));
              return context.compute().insert(order);
            },
            begun -> started(rental, offer, begun),
            failure -> {
              if (rental.in(Rental.Phase.INSERTING)) { // not yet found by a list
                failure.match(new Failed(rental, offer, order.zone(), false));
              }
            });
  }

  private static String run(Rental rental) {
    return rental.run().orElseThrow();
  }

  private void started(Rental rental, Offer offer, Operation operation) {
    if (rental.in(Rental.Phase.INSERTING)) {
      rental.phase = Rental.Phase.COMING;
    }
    rental.insertion = operation;
    awaited.add(operation, over -> ended(rental, offer, over));
    if (!rental.wanted) {
      made.accept(rental);
    }
  }

  private void ended(Rental rental, Offer offer, Operation operation) {
    if (operation.hasSucceeded()) {
      rental.insertion = operation;
      made.accept(rental);
    } else if (rental.in(Rental.Phase.COMING)) {
      rental.failures++;
      rental.insertion = null;
      rental.instance = null; // listed while being created; the creation failed
      operation.failure().orElseThrow().match(new Failed(rental, offer, operation.zone(), true));
    }
  }

  /**
   * Reports the request as refused, or the lease as terminated if it was released in the meantime.
   */
  void refuse(Rental rental, RefusalReason refusalReason, String message) {
    Instant now = context.now();
    if (!rental.wanted) {
      context.gone(rental, now);
      return;
    }
    rental.phase = Rental.Phase.GONE;
    rental.goneAt = now;
    context.tell(new CloudEvent.Refused(rental.lease(), refusalReason, message, now));
  }

  /** Handles each way in which an insertion can fail. */
  private final class Failed implements CloudFailure.Visitor<Rental> {
    private final Rental rental;
    private final Offer offer;
    private final String zone;
    private final boolean begun;

    /** {@code begun}: whether the call succeeded and its operation failed. */
    Failed(Rental rental, Offer offer, String zone, boolean begun) {
      this.rental = rental;
      this.offer = offer;
      this.zone = zone;
      this.begun = begun;
    }

    @Override
    public Rental capacity(CloudFailure.Capacity failure) {
      return tryNextZone(failure);
    }

    private Rental tryNextZone(CloudFailure failure) {
      context.zones().recordRefusal(offer, Optional.of(zone), context.now());
      rental.refusedBy.add(zone);
      rental.refusal = failure.message();
      rental.order = null;
      return requeue();
    }

    @Override
    public Rental quota(CloudFailure.Quota failure) {
      if (!rental.besideEnding && !ending.getAsBoolean()) {
        return refuseWith(RefusalReason.QUOTA, failure);
      }
      rental.notBefore = context.now().plus(context.pace().again());
      rental.order = null; // Google would repeat its response to the same ID
      return requeue();
    }

    @Override
    public Rental permission(CloudFailure.Permission failure) {
      return refuseWith(RefusalReason.PERMISSION, failure);
    }

    @Override
    public Rental invalid(CloudFailure.Invalid failure) {
      return refuseWith(RefusalReason.INVALID, failure);
    }

    @Override
    public Rental throttled(CloudFailure.Throttled failure) {
      context.changes().pause(context.now(), context.pace().backOff());
      if (begun) { // Google would repeat its response to the same ID
        rental.order = null;
      }
      return requeue();
    }

    /**
     * An insertion that Google started and aborted left no instance, and may succeed in another
     * zone.
     */
    @Override
    public Rental unknownOutcome(CloudFailure.UnknownOutcome failure) {
      if (begun) {
        return tryNextZone(failure);
      }
      rental.seek(Rental.Phase.UNKNOWN, context.now());
      return rental;
    }

    private Rental refuseWith(RefusalReason refusalReason, CloudFailure failure) {
      refuse(rental, refusalReason, failure.message());
      return rental;
    }

    private Rental requeue() {
      if (rental.wanted) {
        rental.phase = Rental.Phase.QUEUED;
      } else {
        context.gone(rental, context.now());
      }
      return rental;
    }
  }
}
