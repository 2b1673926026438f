package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.aws.model.Ec2Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates leases from EC2's lists, including leases that are not listed. */
final class ListReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(ListReconciler.class);

  /**
   * The number of lists without the instance, in addition to the listing delay, that prove its
   * absence.
   */
  private static final int ENOUGH_LOOKS = 3;

  /** The number of lists after which a launch with an unknown outcome is repeated identically. */
  private static final int LOOKS_BEFORE_REPEATING = 2;

  private final RegionContext context;
  private final InstanceMonitor instanceMonitor;
  private final Terminator terminator;

  ListReconciler(RegionContext context, InstanceMonitor instanceMonitor, Terminator terminator) {
    this.context = context;
    this.instanceMonitor = instanceMonitor;
    this.terminator = terminator;
  }

  /** Processes the listed instances of a lease. */
  void reconcile(TrackedLease trackedLease, List<Ec2Instance> instances, Instant asked) {
    for (Ec2Instance instance : instances) {
      boolean other =
          trackedLease.instance().filter(known -> !known.id().equals(instance.id())).isPresent();
      if (other || (!trackedLease.isOpen() && trackedLease.instance().isEmpty())) {
        terminateDuplicate(trackedLease, instance);
      } else if (trackedLease.isOpen()) {
        trackedLease.lastListed = asked;
        instanceMonitor.update(trackedLease, instance);
      }
    }
    if (trackedLease.isOpen()) {
      trackedLease
          .instance()
          .ifPresentOrElse(
              known -> instanceMonitor.lookUpMissing(trackedLease, known, asked),
              () -> countEmptyList(trackedLease, asked));
    }
  }

  /** Terminates a second instance with the tag of a lease. */
  void terminateDuplicate(TrackedLease trackedLease, Ec2Instance instance) {
    if (instance.state().isUp()) {
      LOG.warn(
          "Duplicate instance {} for lease {}; terminating it",
          instance.id(),
          trackedLease.lease());
      terminator.terminate(instance.id());
    } else {
      terminator.onTerminating(instance.id());
    }
  }

  private void countEmptyList(TrackedLease trackedLease, Instant asked) {
    if (asked.isBefore(trackedLease.unlistedSince)) {
      return;
    }
    trackedLease.unlistedCount++;
    boolean settled =
        trackedLease.unlistedCount >= ENOUGH_LOOKS
            && Duration.between(trackedLease.unlistedSince, asked)
                    .compareTo(context.pace().listingDelay())
                >= 0;
    boolean unknown = trackedLease.in(TrackedLease.Phase.UNKNOWN);
    if (trackedLease.in(TrackedLease.Phase.QUEUED) && !trackedLease.wanted) {
      neverLaunched(trackedLease);
    } else if (unknown
        && trackedLease.wanted
        && trackedLease.unlistedCount >= LOOKS_BEFORE_REPEATING) {
      trackedLease.phase =
          TrackedLease.Phase.QUEUED; // with its request: the same token launches once
    } else if (settled
        && (trackedLease.in(TrackedLease.Phase.SEARCHING) || (unknown && !trackedLease.wanted))) {
      context.terminated(trackedLease, context.now());
    }
  }

  /** Ends a lease released before its launch. Before a retry, its absence is not proven. */
  private void neverLaunched(TrackedLease trackedLease) {
    if (trackedLease.launchRequest == null) {
      context.terminated(trackedLease, context.now());
    } else {
      trackedLease.startSearch(TrackedLease.Phase.SEARCHING, context.now());
    }
  }
}
