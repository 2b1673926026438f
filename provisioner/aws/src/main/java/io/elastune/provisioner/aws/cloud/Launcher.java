package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.Location;
import io.elastune.provisioner.aws.node.UserData;
import io.elastune.provisioner.remote.RateLimit;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Launches queued instances within EC2's rate limits. Each instance needs its own call, because the
 * call sets its tags. Without capacity in one zone, the next zone is tried.
 */
final class Launcher {
  /** The highest accepted spot price, relative to the price in the plan. */
  private static final double SPOT_MARGIN = 1.05;

  private final RegionContext context;
  private final ExpiryRenewer expiryRenewer;
  private final RateLimit limit;

  /** Receives launched instances. */
  private final BiConsumer<TrackedLease, Ec2Instance> launched;

  /** Whether an Elastune instance is shutting down, and may still use up a quota. */
  private final BooleanSupplier anyEnding;

  Launcher(
      RegionContext context,
      ExpiryRenewer expiryRenewer,
      BiConsumer<TrackedLease, Ec2Instance> launched,
      BooleanSupplier anyEnding) {
    this.context = context;
    this.anyEnding = anyEnding;
    this.expiryRenewer = expiryRenewer;
    this.launched = launched;
    limit = new RateLimit(context.pace().burst(), context.pace().launchesPerSecond());
  }

  /** Launches as many of these as the rate limit allows now. */
  void launch(List<TrackedLease> queued) {
    for (TrackedLease trackedLease : queued) {
      Optional<LeaseRequest> request = trackedLease.request();
      if (request.isPresent() && !launch(trackedLease, request.get())) {
        return;
      }
    }
  }

  /** Launches one instance; returns whether another launch is allowed now. */
  private boolean launch(TrackedLease trackedLease, LeaseRequest request) {
    Instant now = context.now();
    if (trackedLease.launchRequest == null) {
      List<Optional<String>> zones =
          context.zones().zonesToTry(request, zones(request.offer()), now);
      if (zones.isEmpty()) {
        refuse(trackedLease, RefusalReason.CAPACITY, noZone(trackedLease, request.offer()));
        return true;
      }
      if (!limit.tryAcquire(now)) {
        return false;
      }
      Instant expires = expiryRenewer.firstExpiry(request, now);
      trackedLease.launchRequest = order(request, zones.get(0), expires);
      trackedLease.expires = expires;
    } else if (!limit.tryAcquire(now)) {
      return false;
    }
    LaunchRequest order = trackedLease.launchRequest;
    trackedLease.phase = TrackedLease.Phase.LAUNCHING;
    trackedLease.besideEndingInstance = anyEnding.getAsBoolean();
    context
        .asyncCaller()
        .call(
            () -> {
              order
                  .group()
                  .ifPresent(
                      group -> context.ec2().createGroup(group, PlacementGroups.tags(order)));
              return context.ec2().launch(order);
            },
            instance -> launched.accept(trackedLease, instance),
            failure -> failed(trackedLease, request.offer(), order, failure));
    return true;
  }

  private List<Optional<String>> zones(Offer offer) {
    Optional<String> zone = Location.parse(offer.infra()).flatMap(Location::zone);
    return zone.isPresent() ? List.of(zone) : context.settings().zones();
  }

  private String noZone(TrackedLease trackedLease, Offer offer) {
    String where =
        zones(offer).size() == 1 ? "in " + offer.infra() : "in every zone of " + offer.infra();
    return offer.instanceType()
        + " is unavailable "
        + where
        + " at present"
        + (trackedLease.capacityMessage.isEmpty()
            ? ", as EC2 reported a moment ago"
            : ": " + trackedLease.capacityMessage);
  }

  private LaunchRequest order(LeaseRequest request, Optional<String> zone, Instant end) {
    long expires = end.getEpochSecond();
    Map<String, String> tags = new HashMap<>(request.tags());
    tags.put("Name", request.lease());
    tags.put(Tags.EXPIRES, Long.toString(expires));
    Offer offer = request.offer();
    return new LaunchRequest(
        ClientTokens.of(request.lease(), offer, zone),
        offer.instanceType(),
        offer.market(),
        zone,
        context.settings(),
        tags,
        UserData.script(request.setup(), expires, context.settings().maxLifetime()),
        offer.market() == Market.SPOT && request.listUsdPerHour() > 0
            ? OptionalDouble.of(request.listUsdPerHour() * SPOT_MARGIN)
            : OptionalDouble.empty(),
        PlacementGroups.group(request, zone));
  }

  private void failed(
      TrackedLease trackedLease, Offer offer, LaunchRequest order, CloudFailure failure) {
    if (trackedLease.in(
        TrackedLease.Phase.LAUNCHING)) { // otherwise a list has shown its instance meanwhile
      failure.match(new LaunchFailureHandler(trackedLease, offer, order));
    }
  }

  /** Reports a refusal, or the termination of a lease that was released meanwhile. */
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

  /** Handles each type of launch failure. */
  private final class LaunchFailureHandler implements CloudFailure.Visitor<TrackedLease> {
    private final TrackedLease trackedLease;
    private final Offer offer;
    private final LaunchRequest order;

    LaunchFailureHandler(TrackedLease trackedLease, Offer offer, LaunchRequest order) {
      this.trackedLease = trackedLease;
      this.offer = offer;
      this.order = order;
    }

    @Override
    public TrackedLease capacity(CloudFailure.Capacity failure) {
      context.zones().recordRefusal(offer, order.zone(), context.now());
      trackedLease.capacityMessage = failure.message();
      return queuedAgain(true);
    }

    @Override
    public TrackedLease quota(CloudFailure.QuotaExceeded failure) {
      if (!trackedLease.besideEndingInstance && !anyEnding.getAsBoolean()) {
        return refusedBecause(RefusalReason.QUOTA, failure);
      }
      trackedLease.notBefore = context.now().plus(context.pace().retryInterval());
      return queuedAgain(false);
    }

    @Override
    public TrackedLease permission(CloudFailure.Permission failure) {
      return refusedBecause(RefusalReason.PERMISSION, failure);
    }

    @Override
    public TrackedLease invalid(CloudFailure.Invalid failure) {
      return refusedBecause(RefusalReason.INVALID, failure);
    }

    @Override
    public TrackedLease throttled(CloudFailure.Throttled failure) {
      limit.pause(context.now(), context.pace().throttlePause());
      return queuedAgain(false);
    }

    @Override
    public TrackedLease unknownOutcome(CloudFailure.UnknownOutcome failure) {
      trackedLease.startSearch(TrackedLease.Phase.UNKNOWN, context.now());
      return trackedLease;
    }

    private TrackedLease refusedBecause(RefusalReason refusalReason, CloudFailure failure) {
      refuse(trackedLease, refusalReason, failure.message());
      return trackedLease;
    }

    /** Queues the lease again; {@code elsewhere} allows a new request in another zone. */
    private TrackedLease queuedAgain(boolean elsewhere) {
      trackedLease.phase = TrackedLease.Phase.QUEUED;
      if (elsewhere) {
        trackedLease.launchRequest = null;
      }
      return trackedLease;
    }
  }
}
