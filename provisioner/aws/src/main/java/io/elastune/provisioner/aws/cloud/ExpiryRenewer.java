package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.remote.NodeExpiry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the expiry tag, which the dead-man timers of the nodes read. */
final class ExpiryRenewer {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiryRenewer.class);

  private final RegionContext context;
  private final NodeExpiry lives;

  ExpiryRenewer(RegionContext context) {
    this.context = context;
    lives = new NodeExpiry(context.pace().renewalInterval());
  }

  /** Sets the limit; existing nodes receive it now, future nodes at launch. */
  void limitNodeExpiry(NodeExpiryLimit other, Collection<TrackedLease> trackedLeases) {
    lives.setLimit(other);
    trackedLeases.forEach(trackedLease -> trackedLease.renewedAt = Instant.EPOCH);
  }

  /** Returns the first expiry of a node that is launched now. */
  Instant firstExpiry(LeaseRequest request, Instant now) {
    return lives.firstExpiry(request, now);
  }

  /**
   * Returns whether all nodes that may still run have received the limit. Only then may another
   * instance be launched, because their earlier expiry pays for it.
   */
  boolean haveAllReceivedLimit(Collection<TrackedLease> trackedLeases) {
    Instant now = context.now();
    return trackedLeases.stream()
        .filter(TrackedLease::mayKeepRunning)
        .allMatch(trackedLease -> hasHeard(trackedLease, now));
  }

  private boolean hasHeard(TrackedLease trackedLease, Instant now) {
    Optional<Instant> last = Optional.ofNullable(trackedLease.expires);
    return lives.isWithinLimit(trackedLease.lease(), launched(trackedLease, now), last);
  }

  /** Renews the nodes that are due, with one call for those with the same expiry. */
  void renew(Collection<TrackedLease> trackedLeases) {
    Instant now = context.now();
    Map<Instant, List<TrackedLease>> due =
        trackedLeases.stream()
            .filter(
                trackedLease ->
                    trackedLease.wanted && trackedLease.isUp() && isDue(trackedLease, now))
            .collect(Collectors.groupingBy(trackedLease -> end(trackedLease, now)));
    due.forEach((end, some) -> renew(some, end, now));
  }

  private Instant end(TrackedLease trackedLease, Instant now) {
    return lives.nextExpiry(
        trackedLease.lease(), deadMan(trackedLease), launched(trackedLease, now), now);
  }

  private boolean isDue(TrackedLease trackedLease, Instant now) {
    Optional<Instant> last = Optional.ofNullable(trackedLease.renewedAt);
    return lives.isDue(last, deadMan(trackedLease), launched(trackedLease, now), now);
  }

  private static Instant launched(TrackedLease trackedLease, Instant otherwise) {
    return trackedLease.instance().map(Ec2Instance::launched).orElse(otherwise);
  }

  private static Duration deadMan(TrackedLease trackedLease) {
    return trackedLease.request().map(LeaseRequest::deadMan).orElse(Duration.ZERO);
  }

  private void renew(List<TrackedLease> trackedLeases, Instant end, Instant now) {
    trackedLeases.forEach(trackedLease -> trackedLease.renewedAt = now);
    String expires = Long.toString(end.getEpochSecond());
    List<String> ids =
        trackedLeases.stream().flatMap(r -> r.instance().stream()).map(Ec2Instance::id).toList();
    context
        .asyncCaller()
        .call(
            () -> {
              context.ec2().tag(ids, Map.of(Tags.EXPIRES, expires));
              return ids;
            },
            renewed -> {
              trackedLeases.forEach(trackedLease -> recordRenewal(trackedLease, end, now));
              LOG.debug("Renewed {} until {}", renewed, expires);
            },
            failure -> failed(trackedLeases, failure));
  }

  /** Records a renewal. If another call was made meanwhile, the effective expiry is unknown. */
  private static void recordRenewal(TrackedLease trackedLease, Instant end, Instant sent) {
    if (sent.equals(trackedLease.renewedAt)) {
      trackedLease.expires = end;
    } else {
      trackedLease.renewedAt = Instant.EPOCH;
    }
  }

  private void failed(List<TrackedLease> trackedLeases, CloudFailure failure) {
    LOG.warn("Renewing the expiry of {} nodes failed: {}", trackedLeases.size(), failure.message());
    Instant now = context.now();
    Duration soon = context.pace().retryInterval();
    trackedLeases.forEach(
        trackedLease ->
            trackedLease.renewedAt =
                lives.lastRenewalAfterFailure(deadMan(trackedLease), soon, now));
  }
}
