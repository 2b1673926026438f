package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the expiry of nodes, which their dead-man timers read. Used in the event loop only. */
final class ExpiryRenewer {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiryRenewer.class);

  private final LeaseContext context;
  private final PendingOperations pendingOperations;
  private final NodeExpiry expiry;

  ExpiryRenewer(LeaseContext context, PendingOperations pendingOperations) {
    this.context = context;
    this.pendingOperations = pendingOperations;
    expiry = new NodeExpiry(context.pace().renewalInterval());
  }

  /** Sets the limit; existing nodes receive it now, future nodes at launch. */
  void limitNodeExpiry(NodeExpiryLimit limit, Collection<TrackedLease> leases) {
    expiry.setLimit(limit);
    leases.forEach(lease -> lease.renewedAt = Instant.EPOCH);
  }

  /** Returns the first expiry of a node that is launched now. */
  Instant firstExpiry(LeaseRequest request, Instant now) {
    return expiry.firstExpiry(request, now);
  }

  /**
   * Returns whether all nodes that may still run have received the limit. Only then may another
   * instance be launched, because their earlier expiry pays for it.
   */
  boolean haveAllReceivedLimit(Collection<TrackedLease> leases) {
    Instant now = context.now();
    return leases.stream()
        .filter(TrackedLease::mayKeepRunning)
        .allMatch(
            lease ->
                expiry.isWithinLimit(
                    lease.id(), created(lease, now), Optional.ofNullable(lease.expires)));
  }

  /** Renews the nodes that are due, with one call for those with the same expiry. */
  void renew(Collection<TrackedLease> leases) {
    Instant now = context.now();
    Map<Instant, List<TrackedLease>> due =
        leases.stream()
            .filter(lease -> lease.wanted && lease.isUp() && isDue(lease, now))
            .collect(Collectors.groupingBy(lease -> nextExpiry(lease, now)));
    due.forEach(
        (end, some) -> {
          for (List<TrackedLease> batch : Batches.of(some, context.api().batchSize())) {
            if (context.limits().changes().tryAcquire(now)) {
              renew(batch, end, now);
            }
          }
        });
  }

  private Instant nextExpiry(TrackedLease lease, Instant now) {
    return expiry.nextExpiry(lease.id(), lease.deadMan(), created(lease, now), now);
  }

  private boolean isDue(TrackedLease lease, Instant now) {
    Optional<Instant> last = Optional.ofNullable(lease.renewedAt);
    return expiry.isDue(last, lease.deadMan(), created(lease, now), now);
  }

  private static Instant created(TrackedLease lease, Instant otherwise) {
    return lease.instance().map(RemoteInstance::created).orElse(otherwise);
  }

  private void renew(List<TrackedLease> batch, Instant end, Instant now) {
    batch.forEach(lease -> lease.renewedAt = now);
    List<String> ids = batch.stream().flatMap(lease -> lease.instanceId().stream()).toList();
    context
        .asyncCaller()
        .call(
            () -> context.api().extendExpiry(ids, end),
            begun ->
                begun.ifPresentOrElse(
                    operation ->
                        pendingOperations.add(
                            operation,
                            over ->
                                over.failure()
                                    .ifPresentOrElse(
                                        failure -> failed(batch, failure),
                                        () -> renewed(batch, end, now))),
                    () -> renewed(batch, end, now)),
            failure -> failed(batch, failure));
  }

  private static void renewed(List<TrackedLease> batch, Instant end, Instant sent) {
    batch.forEach(lease -> renewed(lease, end, sent));
    LOG.debug("Renewed {} nodes until {}", batch.size(), end);
  }

  /** Records a renewal. If another call was sent meanwhile, the effective expiry is unknown. */
  private static void renewed(TrackedLease lease, Instant end, Instant sent) {
    if (sent.equals(lease.renewedAt)) {
      lease.expires = end;
    } else {
      lease.renewedAt = Instant.EPOCH;
    }
  }

  private void failed(List<TrackedLease> batch, CloudFailure failure) {
    LOG.warn("Renewing the expiry of {} nodes failed: {}", batch.size(), failure.message());
    if (failure instanceof CloudFailure.Throttled) {
      context.limits().changes().pause(context.now(), context.pace().throttlePause());
    }
    Instant now = context.now();
    Duration soon = context.pace().retryInterval();
    batch.forEach(
        lease -> lease.renewedAt = expiry.lastRenewalAfterFailure(lease.deadMan(), soon, now));
  }
}
