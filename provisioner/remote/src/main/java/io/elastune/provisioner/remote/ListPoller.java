package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeatedly lists the instances of runs, and of leases whose run is unknown. At most one list call
 * is in progress. Used in the event loop only.
 *
 * @param <F> the type of the list
 */
public final class ListPoller<F> {
  private static final Logger LOG = LoggerFactory.getLogger(ListPoller.class);

  private final String cloud;
  private final AsyncCaller asyncCaller;
  private final InstantSource time;
  private final Duration afterFailure;
  private final Callbacks<F> callbacks;
  private final Set<String> listedRuns = new HashSet<>();
  private boolean callPending;
  private String lastProblem = "";
  private Instant next = Instant.EPOCH;

  /** The parameters and the time of a list call. */
  public record ListCall(Set<String> runs, Set<String> leasesWithoutRun, Instant at) {
    public ListCall {
      runs = Set.copyOf(runs);
      leasesWithoutRun = Set.copyOf(leasesWithoutRun);
    }

    /** Returns whether the call covered a lease. */
    public boolean covers(String lease, Optional<String> run) {
      return run.map(runs::contains).orElseGet(() -> leasesWithoutRun.contains(lease));
    }
  }

  /** The operations that a provider implements. */
  public interface Callbacks<F> {
    /** Calls the cloud and blocks until it responds; runs on another thread. */
    F list(Set<String> runs, Set<String> strangers);

    /** Processes the list. */
    void onList(ListCall listCall, F found);

    /** Returns the time until the next list call. */
    Duration pollInterval();

    /** Runs the next step after a list was processed. */
    void afterList();

    /** Handles a missing permission to list: nothing may be created that cannot be found again. */
    void onListForbidden(String message);
  }

  /**
   * Creates a poller; makes no call yet.
   *
   * @param cloud the name of the cloud in messages
   * @param afterFailure the time until the next call after a failed one
   */
  public ListPoller(
      String cloud,
      AsyncCaller asyncCaller,
      InstantSource time,
      Duration afterFailure,
      Callbacks<F> callbacks) {
    this.cloud = cloud;
    this.asyncCaller = asyncCaller;
    this.time = time;
    this.afterFailure = afterFailure;
    this.callbacks = callbacks;
  }

  /** Makes the next list call due now. */
  public void pollSoon() {
    next = Instant.EPOCH;
  }

  /** Returns whether the run has been listed at least once. */
  public boolean hasListed(String run) {
    return listedRuns.contains(run);
  }

  /** Starts a list call if one is due, or if one of the runs is new. */
  public void poll(Set<String> runs, Set<String> strangers) {
    boolean due = !listedRuns.containsAll(runs) || !time.instant().isBefore(next);
    if (callPending || !due || (runs.isEmpty() && strangers.isEmpty())) {
      return;
    }
    callPending = true;
    ListCall listCall = new ListCall(runs, strangers, time.instant());
    asyncCaller.call(
        () -> callbacks.list(listCall.runs(), listCall.leasesWithoutRun()),
        found -> answered(listCall, found),
        this::failed);
  }

  private void answered(ListCall listCall, F found) {
    callPending = false;
    lastProblem = "";
    listedRuns.addAll(listCall.runs());
    callbacks.onList(listCall, found);
    next = time.instant().plus(callbacks.pollInterval());
    callbacks.afterList();
  }

  private void failed(CloudFailure failure) {
    if (failure.message().equals(lastProblem)) {
      LOG.debug("Listing instances of {} still fails: {}", cloud, failure.message());
    } else {
      LOG.warn("Listing instances of {} failed: {}", cloud, failure.message());
    }
    lastProblem = failure.message();
    if (failure instanceof CloudFailure.Permission) {
      callbacks.onListForbidden(failure.message());
    }
    callPending = false;
    next = time.instant().plus(afterFailure);
  }
}
