package io.elastune.provisioner.remote;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Creates the instances of queued leases: one call for each, because the call sets the tags, and
 * within the rate limit. Tries the next zone if a zone has no capacity. A successful call is no
 * confirmation, because the operation that it starts may fail. Used in the event loop only.
 */
final class Launcher {
  private final LeaseContext context;
  private final PendingOperations pendingOperations;
  private final ExpiryRenewer expiryRenewer;
  private final ZoneLists zoneLists;
  private final LaunchRefusals refusals;
  private final Listener listener;

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
      LaunchRefusals refusals) {
    this.context = context;
    this.pendingOperations = pendingOperations;
    this.expiryRenewer = expiryRenewer;
    this.listener = listener;
    this.refusals = refusals;
    zoneLists = new ZoneLists(context);
  }

  /** Launches as many of these leases as the rate limit allows now. */
  void launch(List<TrackedLease> queued) {
    for (TrackedLease lease : queued) {
      AtomicBoolean mayContinue = new AtomicBoolean(true);
      context
          .asyncCaller()
          .run(
              error -> failed(lease, error),
              () -> lease.request().ifPresent(request -> mayContinue.set(launch(lease, request))));
      if (!mayContinue.get()) {
        return;
      }
    }
  }

  /** A launch that cannot be prepared was not sent. One that was sent has an outcome of its own. */
  private void failed(TrackedLease lease, Throwable error) {
    if (lease.launch == null && lease.in(TrackedLease.Phase.QUEUED)) {
      refusals.refuse(
          lease,
          RefusalReason.INVALID,
          "the launch for lease " + lease.id() + " could not be prepared: " + error);
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
      refusals.refuseWithoutCapacity(lease, request.offer(), zones.get().size() == 1);
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
    if (failure instanceof CloudFailure.Permission
        && !context.health().awaitsLogin(failure, lease.deadMan())) {
      refusals.refuse(lease, RefusalReason.PERMISSION, failure.message());
    } else if (failure instanceof CloudFailure.Invalid) {
      refusals.refuse(lease, RefusalReason.INVALID, failure.message());
    }
  }

  private boolean send(TrackedLease lease, LeaseRequest request, PreparedLaunch prepared) {
    lease.phase = TrackedLease.Phase.LAUNCHING;
    lease.besideEndingInstance = refusals.isAnyEnding();
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
    lease.unknownSince = null;
    lease.phase = TrackedLease.Phase.CREATING;
    lease.creation = launched.operation();
    launched.instance().ifPresent(instance -> listener.onLaunched(lease, instance));
    pendingOperations.add(launched.operation(), over -> ended(lease, offer, over));
    if (!lease.wanted) {
      listener.onCreated(lease);
    }
  }

  private void ended(TrackedLease lease, Offer offer, RemoteOperation operation) {
    if (lease.failedInstances.contains(operation.instance())) {
      return;
    }
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

  /** Handles an instance that the cloud has ended instead of starting it. */
  void failAfterLaunch(TrackedLease lease, RemoteInstance seen, CloudFailure failure) {
    Optional<String> zone = lease.launch == null ? Optional.of(seen.zone()) : lease.launch.zone();
    lease.failures++;
    lease.failedInstances.add(seen.id());
    lease.creation = null;
    lease.instance = null;
    lease.request().ifPresent(request -> fail(lease, request.offer(), zone, failure, true));
  }

  /**
   * Gives up a launch whose outcome has been unknown for long, although no list shows an instance:
   * the zone may be failing. The next launch uses another zone. An instance that appears later is
   * taken over or, as a second one, terminated.
   */
  void giveUp(TrackedLease lease) {
    PreparedLaunch given = lease.launch;
    Optional<String> zone = given == null ? Optional.empty() : given.zone();
    lease.gaveUpLaunch = true;
    lease
        .request()
        .map(request -> handler(lease, request.offer(), zone, false))
        .ifPresent(
            handler ->
                handler.failOver(
                    lease.unknownMessage
                        + "; no instance was found within "
                        + context.pace().launchPatience().toSeconds()
                        + " s"));
  }

  private void fail(
      TrackedLease lease,
      Offer offer,
      Optional<String> zone,
      CloudFailure failure,
      boolean hasBegun) {
    failure.match(handler(lease, offer, zone, hasBegun));
  }

  private LaunchFailureHandler handler(
      TrackedLease lease, Offer offer, Optional<String> zone, boolean hasBegun) {
    return new LaunchFailureHandler(context, refusals, lease, offer, zone, hasBegun);
  }
}
