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
public final class Looks<F> {
  private static final Logger LOG = LoggerFactory.getLogger(Looks.class);

  private final String cloud;
  private final Asker asker;
  private final InstantSource time;
  private final Duration afterFailure;
  private final Door<F> door;
  private final Set<String> listedRuns = new HashSet<>();
  private boolean callPending;
  private String lastProblem = "";
  private Instant next = Instant.EPOCH;

  /** The parameters and the time of a list call. */
  public record Asked(Set<String> runs, Set<String> strangers, Instant at) {
    public Asked {
      runs = Set.copyOf(runs);
      strangers = Set.copyOf(strangers);
    }

    /** Returns whether the call covered a lease. */
    public boolean isAbout(String lease, Optional<String> run) {
      return run.map(runs::contains).orElseGet(() -> strangers.contains(lease));
    }
  }

  /** The operations that a provider implements. */
  public interface Door<F> {
    /** Calls the cloud and blocks until it responds; runs on another thread. */
    F ask(Set<String> runs, Set<String> strangers);

    /** Processes the list. */
    void found(Asked asked, F found);

    /** Returns the time until the next list call. */
    Duration pause();

    /** Runs the next step after a list was processed. */
    void step();

    /** Handles a missing permission to list: nothing may be created that cannot be found again. */
    void mayNotLook(String message);
  }

  /**
   * Creates a poller; makes no call yet.
   *
   * @param cloud the name of the cloud in messages
   * @param afterFailure the time until the next call after a failed one
   */
  public Looks(String cloud, Asker asker, InstantSource time, Duration afterFailure, Door<F> door) {
    this.cloud = cloud;
    this.asker = asker;
    this.time = time;
    this.afterFailure = afterFailure;
    this.door = door;
  }

  /** Makes the next list call due now. */
  public void soon() {
    next = Instant.EPOCH;
  }

  /** Returns whether the run has been listed at least once. */
  public boolean hasLookedAt(String run) {
    return listedRuns.contains(run);
  }

  /** Starts a list call if one is due, or if one of the runs is new. */
  public void look(Set<String> runs, Set<String> strangers) {
    boolean due = !listedRuns.containsAll(runs) || !time.instant().isBefore(next);
    if (callPending || !due || (runs.isEmpty() && strangers.isEmpty())) {
      return;
    }
    callPending = true;
    Asked asked = new Asked(runs, strangers, time.instant());
    asker.ask(
        () -> door.ask(asked.runs(), asked.strangers()),
        found -> answered(asked, found),
        this::failed);
  }

  private void answered(Asked asked, F found) {
    callPending = false;
    lastProblem = "";
    listedRuns.addAll(asked.runs());
    door.found(asked, found);
    next = time.instant().plus(door.pause());
    door.step();
  }

  private void failed(CloudFailure failure) {
    if (failure.message().equals(lastProblem)) {
      LOG.debug("Listing instances of {} still fails: {}", cloud, failure.message());
    } else {
      LOG.warn("Listing instances of {} failed: {}", cloud, failure.message());
    }
    lastProblem = failure.message();
    if (failure instanceof CloudFailure.Permission) {
      door.mayNotLook(failure.message());
    }
    callPending = false;
    next = time.instant().plus(afterFailure);
  }
}
