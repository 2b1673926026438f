package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.model.InstanceLifecycle;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates leases from Google's lists, including from missing instances. */
final class ListReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(ListReconciler.class);

  /**
   * An instance does not exist if this many lists, over at least {@link
   * PollingIntervals#listingDelay}, have not shown it.
   */
  private static final int MIN_LISTS = 3;

  /** An insert request with an unknown outcome is repeated unchanged after this many lists. */
  private static final int LISTS_BEFORE_REPEATING = 1;

  private final ProjectContext context;
  private final InstanceMonitor instanceMonitor;
  private final Terminator terminator;

  ListReconciler(ProjectContext context, InstanceMonitor instanceMonitor, Terminator terminator) {
    this.context = context;
    this.instanceMonitor = instanceMonitor;
    this.terminator = terminator;
  }

  /** Processes the instances that a list shows for a lease. */
  void reconcile(
      TrackedLease trackedLease, List<GceInstance> instances, Set<String> silent, Instant asked) {
    if (trackedLease.in(TrackedLease.Phase.INSERTING)) {
      return; // the response contains the start time
    }
    if (trackedLease.insertion().isEmpty()
        && trackedLease.history == null
        && !instances.isEmpty()) {
      trackedLease.historyNeeded = true; // read its start time before its state
      return;
    }
    if (trackedLease.in(TrackedLease.Phase.SEARCHING) && trackedLease.history == null) {
      return;
    }
    for (GceInstance instance : instances) {
      if (trackedLease.zonesWithoutCapacity.contains(instance.zone())
          && instance.lifecycle() == InstanceLifecycle.PENDING) {
        continue; // its creation has failed; this list is older
      }
      boolean duplicate =
          trackedLease
              .zone()
              .filter(zone -> !trackedLease.isAt(instance.zone(), instance.name()))
              .isPresent();
      if (duplicate) {
        deleteDuplicate(trackedLease, instance);
      } else if (trackedLease.isOpen()) {
        trackedLease.lastListed = asked;
        instanceMonitor.update(trackedLease, instance);
      }
    }
    if (trackedLease.isOpen() && trackedLease.lastListed.isBefore(asked)) {
      trackedLease
          .zone()
          .ifPresentOrElse(
              zone -> {
                if (!silent.contains(zone) && !trackedLease.in(TrackedLease.Phase.CREATING)) {
                  instanceMonitor.lookUpMissing(trackedLease, zone, asked);
                }
              },
              () -> {
                if (silent.isEmpty()) {
                  notListed(trackedLease, asked);
                }
              });
    }
  }

  /** Deletes a duplicate: a lease has one instance, and only that is paid for. */
  private void deleteDuplicate(TrackedLease trackedLease, GceInstance instance) {
    LOG.warn(
        "Duplicate instance {} for lease {}; deleting it", instance.path(), trackedLease.lease());
    terminator.delete(instance.zone(), instance.name(), instance.id());
  }

  private void notListed(TrackedLease trackedLease, Instant asked) {
    if (asked.isBefore(trackedLease.unlistedSince)) {
      return;
    }
    trackedLease.unlistedCount++;
    boolean isConclusive =
        trackedLease.unlistedCount >= MIN_LISTS
            && Duration.between(trackedLease.unlistedSince, asked)
                    .compareTo(context.pace().listingDelay())
                >= 0;
    boolean unknown = trackedLease.in(TrackedLease.Phase.UNKNOWN);
    if (trackedLease.in(TrackedLease.Phase.QUEUED) && !trackedLease.wanted) {
      releasedWhileQueued(trackedLease);
    } else if (unknown
        && trackedLease.wanted
        && trackedLease.unlistedCount >= LISTS_BEFORE_REPEATING) {
      trackedLease.phase =
          TrackedLease.Phase.QUEUED; // the same request ID creates at most one instance
    } else if (isConclusive
        && (trackedLease.in(TrackedLease.Phase.SEARCHING) || (unknown && !trackedLease.wanted))) {
      context.terminated(trackedLease, context.now());
    }
  }

  /**
   * Handles a lease that was released while queued. If an insert request was sent before, an
   * instance may exist.
   */
  private void releasedWhileQueued(TrackedLease trackedLease) {
    if (trackedLease.insertRequest == null) {
      context.terminated(trackedLease, context.now());
    } else {
      trackedLease.startSearch(TrackedLease.Phase.SEARCHING, context.now());
    }
  }
}
