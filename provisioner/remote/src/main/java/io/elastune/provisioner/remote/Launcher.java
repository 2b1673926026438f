package io.elastune.provisioner.remote;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Creates the instances of queued leases: one call for each, because the call sets the tags, and
 * within the rate limit. Tries the next zone if a zone has no capacity. A successful call is no
 * confirmation, because the operation that it starts may fail. Used in the event loop only.
 */
final class Launcher {
  private static final String ANY_ZONE = "any zone";

  private final LeaseContext context;
  private final PendingOperations pendingOperations;
  private final ExpiryRenewer expiryRenewer;
  private final ZoneLists zoneLists;
  private final Listener listener;

  /** Whether another instance is ending. It may count toward a quota until it has ended. */
  private final BooleanSupplier isAnyEnding;

  /** Receives the results of launches. */
  interface Listener {
    /** Handles the description of an instance in the response to its launch. */
    void onLaunched(TrackedLease lease, RemoteInstance instance);

    /** Handles a lease whose instance the cloud is creating or has created. */
    void onCreated(TrackedLease lease);
  }

  Launcher(
      LeaseContext context,
      PendingOperations pendingOperations,
      ExpiryRenewer expiryRenewer,
      Listener listener,
      BooleanSupplier isAnyEnding) {
    this.context = context;
    this.pendingOperations = pendingOperations;
    this.expiryRenewer = expiryRenewer;
    this.listener = listener;
    this.isAnyEnding = isAnyEnding;
    zoneLists = new ZoneLists(context);
  }

  /** Launches as many of these leases as the rate limit allows now. */
  void launch(List<TrackedLease> queued) {
    for (TrackedLease lease : queued) {
      Optional<LeaseRequest> request = lease.request();
      if (request.isPresent() && !launch(lease, request.get())) {
        return;
      }
    }
  }

  /** Launches one instance; returns whether the rate limit allows another launch now. */
  private boolean launch(TrackedLease lease, LeaseRequest request) {
    Instant now = context.now();
    if (lease.launch != null) {
      return context.limits().launches().tryAcquire(now) && send(lease, request, lease.launch);
    }
    Optional<List<Optional<String>>> zones =
        zoneLists.of(request.offer(), failure -> refuseIfFinal(lease, failure));
    if (zones.isEmpty()) {
      return true;
    }
    List<Optional<String>> open = context.zones().zonesToTry(request, zones.get(), now);
    if (open.isEmpty()) {
      refuse(lease, RefusalReason.CAPACITY, noCapacity(lease, request.offer(), zones.get()));
      return true;
    }
    if (!context.limits().launches().tryAcquire(now)) {
      return false;
    }
    Instant expires = expiryRenewer.firstExpiry(request, now);
    PreparedLaunch prepared = context.api().prepare(request, open.get(0), expires, lease.failures);
    lease.launch = prepared;
    lease.expires = expires;
    return send(lease, request, prepared);
  }

  private void refuseIfFinal(TrackedLease lease, CloudFailure failure) {
    if (!lease.in(TrackedLease.Phase.QUEUED)) {
      return;
    }
    if (failure instanceof CloudFailure.Permission) {
      refuse(lease, RefusalReason.PERMISSION, failure.message());
    } else if (failure instanceof CloudFailure.Invalid) {
      refuse(lease, RefusalReason.INVALID, failure.message());
    }
  }

  private boolean send(TrackedLease lease, LeaseRequest request, PreparedLaunch prepared) {
    lease.phase = TrackedLease.Phase.LAUNCHING;
    lease.besideEndingInstance = isAnyEnding.getAsBoolean();
    if (lease.firstTriedAt == null) {
      lease.firstTriedAt = context.now();
    }
    context
        .asyncCaller()
        .call(
            prepared::send,
            launched -> started(lease, request.offer(), launched),
            failure -> fail(lease, request.offer(), prepared.zone(), failure, false));
    return true;
  }

  private void started(TrackedLease lease, Offer offer, PreparedLaunch.Launched launched) {
    lease.phase = TrackedLease.Phase.CREATING;
    lease.creation = launched.operation();
    launched.instance().ifPresent(instance -> listener.onLaunched(lease, instance));
    pendingOperations.add(launched.operation(), over -> ended(lease, offer, over));
    if (!lease.wanted) {
      listener.onCreated(lease);
    }
  }

  private void ended(TrackedLease lease, Offer offer, RemoteOperation operation) {
    if (operation.hasSucceeded()) {
      lease.creation = operation;
      if (lease.in(TrackedLease.Phase.CREATING)) {
        lease.phase = TrackedLease.Phase.CREATED;
      }
      listener.onCreated(lease);
    } else if (lease.in(TrackedLease.Phase.CREATING)) {
      lease.failures++;
      lease.zonesOfFailedCreations.add(operation.zone());
      lease.creation = null;
      lease.instance = null; // listed while being created; the creation failed
      CloudFailure failure = operation.failure().orElseThrow();
      fail(lease, offer, Optional.of(operation.zone()), failure, true);
    }
  }

  private void fail(
      TrackedLease lease,
      Offer offer,
      Optional<String> zone,
      CloudFailure failure,
      boolean hasBegun) {
    failure.match(new LaunchFailureHandler(context, this, lease, offer, zone, hasBegun));
  }

  /** Returns whether an instance that is ending may have used up a quota at the last attempt. */
  boolean isBesideEndingInstance(TrackedLease lease) {
    return lease.besideEndingInstance || isAnyEnding.getAsBoolean();
  }

  /** Reports a refusal, or the termination of a lease that was released meanwhile. */
  void refuse(TrackedLease lease, RefusalReason reason, String message) {
    Instant now = context.now();
    if (!lease.wanted) {
      context.terminated(lease, now);
      return;
    }
    lease.phase = TrackedLease.Phase.TERMINATED;
    lease.terminatedAt = now;
    context.emit(new CloudEvent.Refused(lease.id(), reason, message, now));
  }

  private String noCapacity(TrackedLease lease, Offer offer, List<Optional<String>> zones) {
    String where = zones.size() == 1 ? "in " + offer.infra() : "in all zones of " + offer.infra();
    return "%s (%s) is unavailable %s%s; try another instance type, region or market, or try again later"
        .formatted(offer.instanceType(), offer.market().word(), where, tried(lease));
  }

  private String tried(TrackedLease lease) {
    return lease.firstTriedAt == null || lease.zonesWithoutCapacity.isEmpty()
        ? "; all its zones reported this less than "
            + context.pace().zoneCooldown().toMinutes()
            + " min ago"
        : "; tried %s within %d s: %s"
            .formatted(
                String.join(", ", lease.zonesWithoutCapacity),
                Duration.between(lease.firstTriedAt, context.now()).toSeconds() + 1,
                lease.capacityMessage);
  }

  /** Records that a zone has no capacity, so that the next attempt uses another zone. */
  void recordNoCapacity(
      TrackedLease lease, Offer offer, Optional<String> zone, CloudFailure failure) {
    context.zones().recordRefusal(offer, zone, context.now());
    lease.zonesWithoutCapacity.add(zone.orElse(ANY_ZONE));
    lease.capacityMessage = failure.message();
  }
}
