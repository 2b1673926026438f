package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls EC2 for interruption notices of spot instances. */
final class SpotInterruptionMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(SpotInterruptionMonitor.class);

  private final RegionContext context;
  private Instant next = Instant.EPOCH;
  private boolean queryPending;

  SpotInterruptionMonitor(RegionContext context) {
    this.context = context;
  }

  /** Queries which running instances EC2 is about to interrupt. */
  void poll(Collection<TrackedLease> trackedLeases) {
    Instant now = context.now();
    Map<String, TrackedLease> spot = new LinkedHashMap<>();
    trackedLeases.stream()
        .filter(trackedLease -> trackedLease.isSpot() && trackedLease.isRunning())
        .filter(trackedLease -> trackedLease.wanted && !trackedLease.reportedNotice)
        .forEach(
            trackedLease ->
                trackedLease.instance().ifPresent(seen -> spot.put(seen.id(), trackedLease)));
    if (queryPending || spot.isEmpty() || now.isBefore(next)) {
      return;
    }
    queryPending = true;
    next = now.plus(context.pace().idlePollInterval());
    context
        .asyncCaller()
        .call(
            () -> context.ec2().interruptionNotices(spot.keySet()),
            marked -> report(spot, marked),
            failure -> {
              queryPending = false;
              LOG.warn("Querying spot interruption notices failed: {}", failure.message());
            });
  }

  private void report(Map<String, TrackedLease> spot, Set<String> marked) {
    queryPending = false;
    spot.forEach(
        (id, trackedLease) -> {
          if (marked.contains(id) && trackedLease.wanted && trackedLease.isUp()) {
            trackedLease.reportedNotice = true;
            context.recordPreemption(trackedLease);
            context.emit(
                new CloudEvent.Leaving(
                    trackedLease.lease(),
                    "EC2 gave notice that it will interrupt " + id + " within two minutes",
                    context.now()));
          }
        });
  }
}
