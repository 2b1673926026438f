package io.elastune.provisioner.remote;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates leases from the cloud's lists, including leases that are not listed. */
final class ListReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(ListReconciler.class);

  /**
   * The number of lists without the instance that prove its absence, if they cover at least {@link
   * PollingIntervals#listingDelay}.
   */
  private static final int ENOUGH_LISTS = 3;

  /** The number of lists after which a launch with an unknown outcome is repeated identically. */
  private static final int LISTS_BEFORE_REPEATING = 2;

  private final LeaseContext context;
  private final InstanceMonitor instanceMonitor;
  private final Terminator terminator;
  private final Consumer<TrackedLease> giveUp;

  /**
   * @param giveUp gives up a launch whose outcome remains unknown
   */
  ListReconciler(
      LeaseContext context,
      InstanceMonitor instanceMonitor,
      Terminator terminator,
      Consumer<TrackedLease> giveUp) {
    this.context = context;
    this.giveUp = giveUp;
    this.instanceMonitor = instanceMonitor;
    this.terminator = terminator;
  }

  /**
   * Processes the listed instances of a lease.
   *
   * @param unreachable the zones that the list lacks
   * @param asked when the list was requested
   */
  void reconcile(
      TrackedLease lease, List<RemoteInstance> listed, Set<String> unreachable, Instant asked) {
    if (lease.in(TrackedLease.Phase.LAUNCHING) || awaitsHistory(lease, listed)) {
      return; // the response or the history contains the start of billing
    }
    for (RemoteInstance instance : listed) {
      if (isOfFailedCreation(lease, instance)) {
        continue;
      }
      if (isDuplicate(lease, instance) || !lease.isOpen()) {
        terminate(lease, instance);
      } else {
        lease.lastListed = asked;
        instanceMonitor.update(lease, instance);
      }
    }
    if (lease.isOpen() && lease.lastListed.isBefore(asked)) {
      handleMissing(lease, unreachable, asked);
    }
  }

  private static boolean awaitsHistory(TrackedLease lease, List<RemoteInstance> listed) {
    if (!lease.isOpen() || lease.history != null) {
      return false;
    }
    if (lease.creation().isEmpty() && !listed.isEmpty()) {
      lease.historyNeeded = true;
      return true;
    }
    return lease.in(TrackedLease.Phase.SEARCHING);
  }

  private static boolean isDuplicate(TrackedLease lease, RemoteInstance instance) {
    return lease.instanceId().isPresent() ? !lease.isInstance(instance.id()) : !lease.isOpen();
  }

  /** Returns whether a list shows an instance whose creation has failed. */
  private static boolean isOfFailedCreation(TrackedLease lease, RemoteInstance instance) {
    if (lease.failedInstances.contains(instance.id())) {
      return true;
    }
    boolean isLaterPlanned =
        lease.in(TrackedLease.Phase.QUEUED) || lease.in(TrackedLease.Phase.CREATING);
    return isLaterPlanned
        && lease.zonesOfFailedCreations.contains(instance.zone())
        && instance.stage() == InstanceStage.PENDING
        && !lease.isInstance(instance.id());
  }

  /**
   * Terminates a second instance of a lease, because only one is paid for, or one of a lease that
   * has ended. For the latter, a list may be older than its end, which does no harm; but another
   * instance with its name may have appeared since.
   */
  private void terminate(TrackedLease lease, RemoteInstance instance) {
    if (instance.stage() == InstanceStage.TERMINATING
        || instance.stage() == InstanceStage.TERMINATED) {
      terminator.forget(instance.id());
      return;
    }
    if (isDuplicate(lease, instance)) {
      LOG.warn("Duplicate instance {} for lease {}; terminating it", instance.id(), lease.id());
    } else {
      LOG.debug("Instance {} is listed after the end of lease {}", instance.id(), lease.id());
    }
    terminator.terminate(instance.id(), instance.uid());
  }

  private void handleMissing(TrackedLease lease, Set<String> unreachable, Instant asked) {
    if (lease.instanceId().isEmpty()) {
      if (unreachable.isEmpty()) {
        countEmptyList(lease, asked);
      }
    } else if (!lease.in(TrackedLease.Phase.CREATING)
        && lease.zone().filter(unreachable::contains).isEmpty()) {
      instanceMonitor.lookUpMissing(lease, lease.instanceId().get(), asked);
    }
  }

  private void countEmptyList(TrackedLease lease, Instant asked) {
    if (asked.isBefore(lease.unlistedSince)) {
      return;
    }
    lease.unlistedCount++;
    boolean isConclusive =
        lease.unlistedCount >= ENOUGH_LISTS
            && Duration.between(lease.unlistedSince, asked).compareTo(context.pace().listingDelay())
                >= 0;
    boolean unknown = lease.in(TrackedLease.Phase.UNKNOWN);
    if (lease.in(TrackedLease.Phase.QUEUED) && !lease.wanted) {
      releasedWhileQueued(lease);
    } else if (unknown && lease.wanted && lease.unlistedCount >= LISTS_BEFORE_REPEATING) {
      repeatOrGiveUp(lease, asked, isConclusive);
    } else if (isConclusive
        && (lease.in(TrackedLease.Phase.SEARCHING) || (unknown && !lease.wanted))) {
      instanceMonitor.endWithoutInstance(lease);
    }
  }

  /**
   * Repeats a launch with an unknown outcome, because the same call creates at most one instance. A
   * zone that fails for long is left, once lists prove that the last call has created none.
   */
  private void repeatOrGiveUp(TrackedLease lease, Instant asked, boolean isConclusive) {
    Instant since = lease.unknownSince;
    boolean isLong = since != null && !asked.isBefore(since.plus(context.pace().launchPatience()));
    if (!isLong) {
      lease.phase = TrackedLease.Phase.QUEUED;
    } else if (isConclusive) {
      giveUp.accept(lease);
    }
  }

  /** Ends a lease released before its launch. If a launch was sent, its absence is not proven. */
  private void releasedWhileQueued(TrackedLease lease) {
    if (lease.launch == null && !lease.gaveUpLaunch) {
      context.terminated(lease, context.now());
    } else {
      lease.startSearch(TrackedLease.Phase.SEARCHING, context.now());
    }
  }
}
