package io.elastune.provisioner.remote;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.RefusalReason;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what follows a failed launch: another attempt, a search for the instance, or a refusal.
 *
 * @param zone the zone of the failed launch
 * @param hasBegun whether the call succeeded and the operation that it began failed; the cloud
 *     would repeat its response to the same call
 */
record LaunchFailureHandler(
    LeaseContext context,
    LaunchRefusals refusals,
    TrackedLease lease,
    Offer offer,
    Optional<String> zone,
    boolean hasBegun)
    implements CloudFailure.Visitor<TrackedLease> {
  private static final Logger LOG = LoggerFactory.getLogger(LaunchFailureHandler.class);

  @Override
  public TrackedLease capacity(CloudFailure.Capacity failure) {
    return tryNextZone(failure.message());
  }

  /**
   * Reports a failure that the cloud does not explain, and makes the next launch use another zone.
   */
  TrackedLease failOver(String message) {
    if (lease.wanted) {
      context.emit(new CloudEvent.LaunchFailed(lease.id(), zone, message, context.now()));
    }
    return tryNextZone(message);
  }

  private TrackedLease tryNextZone(String message) {
    LOG.warn("Lease {}: {}; trying another zone", lease.id(), message);
    refusals.recordNoCapacity(lease, offer, zone, message);
    lease.forgetLaunch();
    return requeue();
  }

  @Override
  public TrackedLease quota(CloudFailure.QuotaExceeded failure) {
    if (!refusals.isBesideEndingInstance(lease)) {
      return refuse(RefusalReason.QUOTA, failure);
    }
    lease.notBefore = context.now().plus(context.pace().retryInterval());
    return requeue();
  }

  @Override
  public TrackedLease permission(CloudFailure.Permission failure) {
    return context.health().awaitsLogin(failure, lease.deadMan())
        ? awaitLogin()
        : refuse(RefusalReason.PERMISSION, failure);
  }

  /** Repeats the launch until a new login; it gets a later expiry, unless it may have begun. */
  private TrackedLease awaitLogin() {
    if (lease.unknownSince != null) {
      lease.startSearch(TrackedLease.Phase.UNKNOWN, context.now());
      return lease;
    }
    lease.forgetLaunch();
    lease.notBefore = context.now().plus(context.pace().retryInterval());
    return requeue();
  }

  @Override
  public TrackedLease invalid(CloudFailure.Invalid failure) {
    return refuse(RefusalReason.INVALID, failure);
  }

  @Override
  public TrackedLease throttled(CloudFailure.Throttled failure) {
    context.limits().launches().pause(context.now(), context.pace().throttlePause());
    return requeue();
  }

  /** The code may concern the zone, as an unknown code of a zone that fails does. */
  @Override
  public TrackedLease unrecognized(CloudFailure.Unrecognized failure) {
    return failOver(failure.message());
  }

  /** Repeats the call for as long as the cloud may need to see everywhere what was made. */
  @Override
  public TrackedLease notVisibleYet(CloudFailure.NotVisibleYet failure) {
    if (lease.isTriedFor(context.pace().launchPatience(), context.now())) {
      return refuse(RefusalReason.INVALID, failure);
    }
    LOG.warn("Lease {}: {}; trying again", lease.id(), failure.message());
    lease.notBefore = context.now().plus(context.pace().retryInterval());
    return requeue();
  }

  /** A creation that began and was aborted left no instance, and may succeed in another zone. */
  @Override
  public TrackedLease unknownOutcome(CloudFailure.UnknownOutcome failure) {
    if (hasBegun) {
      return failOver(failure.message());
    }
    LOG.warn("Lease {}: {}; looking for an instance", lease.id(), failure.message());
    if (lease.unknownSince == null) {
      lease.unknownSince = context.now();
      lease.unknownMessage = failure.message();
    }
    lease.startSearch(TrackedLease.Phase.UNKNOWN, context.now());
    return lease;
  }

  private TrackedLease refuse(RefusalReason reason, CloudFailure failure) {
    refusals.refuse(lease, reason, failure.message());
    return lease;
  }

  /** Queues the lease again. If it was released meanwhile, lists decide whether it has ended. */
  private TrackedLease requeue() {
    if (hasBegun) {
      lease.forgetLaunch();
    }
    lease.phase = TrackedLease.Phase.QUEUED;
    return lease;
  }
}
