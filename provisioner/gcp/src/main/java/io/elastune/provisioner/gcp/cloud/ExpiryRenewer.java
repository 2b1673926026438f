package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.remote.NodeExpiry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the expiry of nodes, which their dead-man timers read. */
final class ExpiryRenewer {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiryRenewer.class);

  private final ProjectContext context;
  private final PendingOperations pendingOperations;
  private final NodeExpiry lives;

  ExpiryRenewer(ProjectContext context, PendingOperations pendingOperations) {
    this.context = context;
    lives = new NodeExpiry(context.pace().renewalInterval());
    this.pendingOperations = pendingOperations;
  }

  /**
   * Sets the limit. It is sent to existing nodes immediately, and to later ones with their insert
   * request.
   */
  void limitNodeExpiry(NodeExpiryLimit other, Collection<TrackedLease> trackedLeases) {
    lives.setLimit(other);
    trackedLeases.forEach(trackedLease -> trackedLease.renewedAt = Instant.EPOCH);
  }

  /** Returns the first expiry of an instance that is requested now. */
  Instant firstExpiry(LeaseRequest request, Instant now) {
    return lives.firstExpiry(request, now);
  }

  /**
   * Returns whether all running nodes have received the limit. Only then may another instance be
   * created, because the limit reserves its cost.
   */
  boolean haveAllReceivedLimit(Collection<TrackedLease> trackedLeases) {
    Instant now = context.now();
    return trackedLeases.stream()
        .filter(TrackedLease::mayKeepRunning)
        .allMatch(trackedLease -> hasReceivedLimit(trackedLease, now));
  }

  private boolean hasReceivedLimit(TrackedLease trackedLease, Instant now) {
    Optional<Instant> expires = Optional.ofNullable(trackedLease.expires);
    return lives.isWithinLimit(trackedLease.lease(), createdAt(trackedLease, now), expires);
  }

  /**
   * Renews the expiries that are due, one call for each node, because Google has no batch call for
   * it.
   */
  void renew(Collection<TrackedLease> trackedLeases) {
    Instant now = context.now();
    List<TrackedLease> due =
        trackedLeases.stream()
            .filter(
                trackedLease ->
                    trackedLease.wanted && trackedLease.isUp() && isDue(trackedLease, now))
            .takeWhile(trackedLease -> context.changes().tryAcquire(now))
            .toList();
    due.forEach(
        trackedLease -> trackedLease.instance().ifPresent(node -> renew(trackedLease, node, now)));
  }

  private boolean isDue(TrackedLease trackedLease, Instant now) {
    Optional<Instant> last = Optional.ofNullable(trackedLease.renewedAt);
    return lives.isDue(last, deadMan(trackedLease), createdAt(trackedLease, now), now);
  }

  private static Instant createdAt(TrackedLease trackedLease, Instant otherwise) {
    return trackedLease.instance().map(GceInstance::created).orElse(otherwise);
  }

  private static Duration deadMan(TrackedLease trackedLease) {
    return trackedLease.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
  }

  private void renew(TrackedLease trackedLease, GceInstance node, Instant now) {
    trackedLease.renewedAt = now;
    Instant end =
        lives.nextExpiry(trackedLease.lease(), deadMan(trackedLease), node.created(), now);
    String expires = Long.toString(end.getEpochSecond());
    context
        .asyncCaller()
        .call(
            () -> context.compute().setMetadata(node.zone(), node.name(), Tags.EXPIRES, expires),
            begun ->
                pendingOperations.add(
                    begun,
                    over ->
                        over.failure()
                            .ifPresentOrElse(
                                failure -> failed(trackedLease, failure),
                                () -> renewed(trackedLease, end, now))),
            failure -> failed(trackedLease, failure));
  }

  /**
   * If another call was sent in the meantime, the order of the two is unknown, so the expiry is
   * renewed again.
   */
  private static void renewed(TrackedLease trackedLease, Instant end, Instant sent) {
    if (sent.equals(trackedLease.renewedAt)) {
      trackedLease.expires = end;
    } else {
      trackedLease.renewedAt = Instant.EPOCH;
    }
  }

  private void failed(TrackedLease trackedLease, CloudFailure failure) {
    LOG.warn("Renewing the expiry of {} failed: {}", trackedLease.name(), failure.message());
    if (failure instanceof CloudFailure.Throttled) {
      context.changes().pause(context.now(), context.pace().throttlePause());
    }
    trackedLease.renewedAt =
        lives.lastRenewalAfterFailure(
            deadMan(trackedLease), context.pace().deleteRetryInterval(), context.now());
  }
}
