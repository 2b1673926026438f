package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeatedly lists the instances of runs, and of leases whose run is unknown. At most one list call
 * is in progress. Used in the event loop only.
 */
final class ListPoller {
  private static final Logger LOG = LoggerFactory.getLogger(ListPoller.class);

  private final LeaseContext context;
  private final Callbacks callbacks;
  private final Set<String> listedRuns = new HashSet<>();
  private boolean callPending;
  private String lastProblem = "";
  private Instant next = Instant.EPOCH;

  /** The parameters and the time of a list call. */
  record ListCall(Set<String> runs, Set<String> leasesWithoutRun, Instant at) {
    public ListCall {
      runs = Set.copyOf(runs);
      leasesWithoutRun = Set.copyOf(leasesWithoutRun);
    }

    /** Returns whether the call covered a lease. */
    boolean covers(String lease, Optional<String> run) {
      return run.map(runs::contains).orElseGet(() -> leasesWithoutRun.contains(lease));
    }
  }

  /** The operations that a provider implements. */
  interface Callbacks {
    /** Calls the cloud and blocks until it responds; runs on another thread. */
    InstanceList list(Set<String> runs, Set<String> leasesWithoutRun);

    /** Processes the list. */
    void onList(ListCall listCall, InstanceList found);

    /** Returns the time until the next list call. */
    Duration pollInterval();

    /** Runs the next step after a list was processed. */
    void afterList();

    /** Handles a missing permission to list: nothing may be created that cannot be found again. */
    void onListForbidden(CloudFailure.Permission failure);
  }

  /** Creates a poller; makes no call yet. */
  ListPoller(LeaseContext context, Callbacks callbacks) {
    this.context = context;
    this.callbacks = callbacks;
  }

  /** Makes the next list call due now. */
  void pollSoon() {
    next = Instant.EPOCH;
  }

  /** Returns whether the run has been listed at least once. */
  boolean hasListed(String run) {
    return listedRuns.contains(run);
  }

  /** Starts a list call if one is due, or if one of the runs is new. */
  void poll(Set<String> runs, Set<String> leasesWithoutRun) {
    boolean due = !listedRuns.containsAll(runs) || !context.now().isBefore(next);
    if (callPending || !due || (runs.isEmpty() && leasesWithoutRun.isEmpty())) {
      return;
    }
    callPending = true;
    ListCall listCall = new ListCall(runs, leasesWithoutRun, context.now());
    context
        .asyncCaller()
        .call(
            () -> callbacks.list(listCall.runs(), listCall.leasesWithoutRun()),
            found -> answered(listCall, found),
            this::failed);
  }

  private void answered(ListCall listCall, InstanceList found) {
    callPending = false;
    lastProblem = "";
    listedRuns.addAll(listCall.runs());
    callbacks.onList(listCall, found);
    next = context.now().plus(callbacks.pollInterval());
    callbacks.afterList();
  }

  private void failed(CloudFailure failure) {
    if (failure.message().equals(lastProblem)) {
      LOG.debug(
          "Listing instances of {} still fails: {}", context.api().cloudName(), failure.message());
    } else {
      LOG.warn("Listing instances of {} failed: {}", context.api().cloudName(), failure.message());
    }
    lastProblem = failure.message();
    if (failure instanceof CloudFailure.Permission permission) {
      callbacks.onListForbidden(permission);
    }
    callPending = false;
    next = context.now().plus(context.pace().retryInterval());
  }
}
