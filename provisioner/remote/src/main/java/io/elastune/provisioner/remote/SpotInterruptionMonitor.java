package io.elastune.provisioner.remote;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls the cloud for interruption notices of spot instances. Used in the event loop only. */
final class SpotInterruptionMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(SpotInterruptionMonitor.class);

  private final LeaseContext context;
  private final InstanceMonitor instanceMonitor;
  private Instant next = Instant.EPOCH;
  private boolean queryPending;

  SpotInterruptionMonitor(LeaseContext context, InstanceMonitor instanceMonitor) {
    this.context = context;
    this.instanceMonitor = instanceMonitor;
  }

  /** Queries which running instances the cloud is about to interrupt, if that is due. */
  void poll(Collection<TrackedLease> leases) {
    Instant now = context.now();
    Map<String, TrackedLease> spot = new LinkedHashMap<>();
    leases.stream()
        .filter(lease -> lease.isSpot() && lease.isRunning())
        .filter(lease -> lease.wanted && !lease.reportedNotice)
        .forEach(lease -> lease.instanceId().ifPresent(id -> spot.put(id, lease)));
    if (queryPending || spot.isEmpty() || now.isBefore(next)) {
      return;
    }
    queryPending = true;
    next = now.plus(context.pace().spotPollInterval());
    context
        .asyncCaller()
        .call(
            () -> context.api().interruptionNotices(spot.keySet()),
            announced -> report(spot, announced),
            failure -> {
              queryPending = false;
              LOG.warn("Querying spot interruption notices failed: {}", failure.message());
            });
  }

  private void report(Map<String, TrackedLease> spot, Set<String> announced) {
    queryPending = false;
    spot.forEach(
        (id, lease) -> {
          if (announced.contains(id) && lease.wanted && lease.isUp()) {
            instanceMonitor.markLeaving(lease, id);
          }
        });
  }
}
