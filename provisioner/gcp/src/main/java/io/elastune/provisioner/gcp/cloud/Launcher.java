package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.gcp.model.InsertRequest;
import io.elastune.provisioner.gcp.model.Location;
import io.elastune.provisioner.gcp.model.Operation;
import io.elastune.provisioner.gcp.model.RegionSettings;
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
  private final PendingOperations pendingOperations;
  private final ExpiryRenewer expiryRenewer;
  private final InsertRequestFactory insertRequestFactory;
  private final Map<String, List<String>> zonesOf = new HashMap<>();
  private final Set<String> regionsRequested = new HashSet<>();

  /** Receives leases whose instance is created. */
  private final Consumer<TrackedLease> made;

  /** Whether an Elastune instance is ending. It may count against a quota until it has ended. */
  private final BooleanSupplier ending;

  Launcher(
      ProjectContext context,
      PendingOperations pendingOperations,
      ExpiryRenewer expiryRenewer,
      Consumer<TrackedLease> made,
      BooleanSupplier ending) {
    this.context = context;
    this.ending = ending;
    this.pendingOperations = pendingOperations;
    this.made = made;
    this.expiryRenewer = expiryRenewer;
    insertRequestFactory = new InsertRequestFactory(context);
  }

  /** Launches as many of these leases as the rate limit allows. */
  void launch(List<TrackedLease> queued) {
    for (TrackedLease trackedLease : queued) {
      Optional<LeaseRequest> request = trackedLease.request();
      if (request.isPresent() && !launch(trackedLease, request.get())) {
        return;
      }
    }
  }

  /** Returns whether the rate limit allows another launch. */
  private boolean launch(TrackedLease trackedLease, LeaseRequest request) {
    Instant now = context.now();
    if (trackedLease.insertRequest == null) {
      Optional<List<String>> zones = zones(trackedLease, request.offer());
      if (zones.isEmpty()) {
        return true;
      }
      List<Optional<String>> left =
          context.zones().zonesToTry(request, zones.get().stream().map(Optional::of).toList(), now);
      if (left.isEmpty()) {
        refuse(
            trackedLease,
            RefusalReason.CAPACITY,
            noCapacityMessage(trackedLease, request.offer(), zones.get()));
        return true;
      }
      if (!context.changes().tryAcquire(now)) {
        return false;
      }
      Instant expires = expiryRenewer.firstExpiry(request, now);
      trackedLease.insertRequest =
          insertRequestFactory.create(
              request, left.get(0).orElseThrow(), trackedLease.failures, expires);
      trackedLease.expires = expires;
    } else if (!context.changes().tryAcquire(now)) {
      return false;
    }
    if (trackedLease.firstTriedAt == null) {
      trackedLease.firstTriedAt = now;
    }
    insert(trackedLease, request.offer(), trackedLease.insertRequest);
    return true;
  }

  /** Returns the zones to try, in order; empty until Google has listed the zones of the region. */
  private Optional<List<String>> zones(TrackedLease trackedLease, Offer offer) {
    Location location = Location.parse(offer.infra()).orElseThrow();
    RegionSettings settings = context.settings().get(location.region());
    if (location.zone().isPresent()) {
      return Optional.of(List.of(location.zone().get()));
    }
    if (settings != null && !settings.zones().isEmpty()) {
      return Optional.of(settings.zones());
    }
    List<String> known = zonesOf.get(location.region());
    if (known == null && regionsRequested.add(location.region())) {
      context
          .asyncCaller()
          .call(
              () -> context.compute().zones(location.region()),
              found -> zonesOf.put(location.region(), found),
              failure -> {
                regionsRequested.remove(location.region());
                if (failure instanceof CloudFailure.Permission) {
                  refuse(trackedLease, RefusalReason.PERMISSION, failure.message());
                } else if (failure instanceof CloudFailure.Invalid) {
                  refuse(trackedLease, RefusalReason.INVALID, failure.message());
                }
              });
    }
    return Optional.ofNullable(known);
  }

  private String noCapacityMessage(TrackedLease trackedLease, Offer offer, List<String> zones) {
    String what = offer.instanceType() + " (" + offer.market().word() + ")";
    String where = zones.size() == 1 ? "in " + offer.infra() : "in all zones of " + offer.infra();
    String tried =
        trackedLease.firstTriedAt == null || trackedLease.zonesWithoutCapacity.isEmpty()
            ? "; all its zones reported this less than "
                + context.pace().zoneCooldown().toMinutes()
                + " min ago"
            : "; tried %s within %d s: %s"
                .formatted(
                    String.join(", ", trackedLease.zonesWithoutCapacity),
                    Duration.between(trackedLease.firstTriedAt, context.now()).toSeconds() + 1,
                    trackedLease.capacityMessage);
    return what
        + " is unavailable "
        + where
        + tried
        + "; try another instance type, region or market, or try again later";
  }

  private void insert(TrackedLease trackedLease, Offer offer, InsertRequest order) {
    trackedLease.phase = TrackedLease.Phase.INSERTING;
    trackedLease.besideEndingInstance = ending.getAsBoolean();
    context
        .asyncCaller()
        .call(
            () -> {
              String region = Location.regionOf(order.zone());
              order
                  .policy()
                  .ifPresent(
                      some -> context.compute().createPolicy(region, some, run(trackedLease)));
              return context.compute().insert(order);
            },
            begun -> started(trackedLease, offer, begun),
            failure -> {
              if (trackedLease.in(TrackedLease.Phase.INSERTING)) { // not yet found by a list
                failure.match(new InsertFailureHandler(trackedLease, offer, order.zone(), false));
              }
            });
  }

  private static String run(TrackedLease trackedLease) {
    return trackedLease.run().orElseThrow();
  }

  private void started(TrackedLease trackedLease, Offer offer, Operation operation) {
    if (trackedLease.in(TrackedLease.Phase.INSERTING)) {
      trackedLease.phase = TrackedLease.Phase.CREATING;
    }
    trackedLease.insertion = operation;
    pendingOperations.add(operation, over -> ended(trackedLease, offer, over));
    if (!trackedLease.wanted) {
      made.accept(trackedLease);
    }
  }

  private void ended(TrackedLease trackedLease, Offer offer, Operation operation) {
    if (operation.hasSucceeded()) {
      trackedLease.insertion = operation;
      made.accept(trackedLease);
    } else if (trackedLease.in(TrackedLease.Phase.CREATING)) {
      trackedLease.failures++;
      trackedLease.insertion = null;
      trackedLease.instance = null; // listed while being created; the creation failed
      operation
          .failure()
          .orElseThrow()
          .match(new InsertFailureHandler(trackedLease, offer, operation.zone(), true));
    }
  }

  /**
   * Reports the request as refused, or the lease as terminated if it was released in the meantime.
   */
  void refuse(TrackedLease trackedLease, RefusalReason refusalReason, String message) {
    Instant now = context.now();
    if (!trackedLease.wanted) {
      context.terminated(trackedLease, now);
      return;
    }
    trackedLease.phase = TrackedLease.Phase.TERMINATED;
    trackedLease.terminatedAt = now;
    context.emit(new CloudEvent.Refused(trackedLease.lease(), refusalReason, message, now));
  }

  /** Handles each way in which an insertion can fail. */
  private final class InsertFailureHandler implements CloudFailure.Visitor<TrackedLease> {
    private final TrackedLease trackedLease;
    private final Offer offer;
    private final String zone;
    private final boolean begun;

    /** {@code begun}: whether the call succeeded and its operation failed. */
    InsertFailureHandler(TrackedLease trackedLease, Offer offer, String zone, boolean begun) {
      this.trackedLease = trackedLease;
      this.offer = offer;
      this.zone = zone;
      this.begun = begun;
    }

    @Override
    public TrackedLease capacity(CloudFailure.Capacity failure) {
      return tryNextZone(failure);
    }

    private TrackedLease tryNextZone(CloudFailure failure) {
      context.zones().recordRefusal(offer, Optional.of(zone), context.now());
      trackedLease.zonesWithoutCapacity.add(zone);
      trackedLease.capacityMessage = failure.message();
      trackedLease.insertRequest = null;
      return requeue();
    }

    @Override
    public TrackedLease quota(CloudFailure.QuotaExceeded failure) {
      if (!trackedLease.besideEndingInstance && !ending.getAsBoolean()) {
        return refuseWith(RefusalReason.QUOTA, failure);
      }
      trackedLease.notBefore = context.now().plus(context.pace().deleteRetryInterval());
      trackedLease.insertRequest = null; // Google would repeat its response to the same ID
      return requeue();
    }

    @Override
    public TrackedLease permission(CloudFailure.Permission failure) {
      return refuseWith(RefusalReason.PERMISSION, failure);
    }

    @Override
    public TrackedLease invalid(CloudFailure.Invalid failure) {
      return refuseWith(RefusalReason.INVALID, failure);
    }

    @Override
    public TrackedLease throttled(CloudFailure.Throttled failure) {
      context.changes().pause(context.now(), context.pace().throttlePause());
      if (begun) { // Google would repeat its response to the same ID
        trackedLease.insertRequest = null;
      }
      return requeue();
    }

    /**
     * An insertion that Google started and aborted left no instance, and may succeed in another
     * zone.
     */
    @Override
    public TrackedLease unknownOutcome(CloudFailure.UnknownOutcome failure) {
      if (begun) {
        return tryNextZone(failure);
      }
      trackedLease.startSearch(TrackedLease.Phase.UNKNOWN, context.now());
      return trackedLease;
    }

    private TrackedLease refuseWith(RefusalReason refusalReason, CloudFailure failure) {
      refuse(trackedLease, refusalReason, failure.message());
      return trackedLease;
    }

    private TrackedLease requeue() {
      if (trackedLease.wanted) {
        trackedLease.phase = TrackedLease.Phase.QUEUED;
      } else {
        context.terminated(trackedLease, context.now());
      }
      return trackedLease;
    }
  }
}
