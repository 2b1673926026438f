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
 * Asks a cloud over and over what there is of runs, and of leases whose run is not known; one
 * question at a time. Used in the loop only.
 *
 * @param <F> what the cloud answers
 */
public final class Looks<F> {
  private static final Logger LOG = LoggerFactory.getLogger(Looks.class);

  private final String cloud;
  private final Asker asker;
  private final InstantSource time;
  private final Duration afterFailure;
  private final Door<F> door;
  private final Set<String> runsLookedAt = new HashSet<>();
  private boolean looking;
  private String lastProblem = "";
  private Instant next = Instant.EPOCH;

  /** A question, as it was asked. */
  public record Asked(Set<String> runs, Set<String> strangers, Instant at) {
    public Asked {
      runs = Set.copyOf(runs);
      strangers = Set.copyOf(strangers);
    }

    /** Whether it was about a lease. */
    public boolean isAbout(String lease, Optional<String> run) {
      return run.map(runs::contains).orElseGet(() -> strangers.contains(lease));
    }
  }

  /** What a kind of cloud does for it. */
  public interface Door<F> {
    /** Asks the cloud and waits for its answer, in a thread of its own. */
    F ask(Set<String> runs, Set<String> strangers);

    /** Takes in what the cloud shows. */
    void found(Asked asked, F found);

    /** How long until the next question. */
    Duration pause();

    /** What is done when everything is taken in. */
    void step();

    /** Nobody may look: nothing is to be made that could not be found again. */
    void mayNotLook(String message);
  }

  /**
   * Nothing is asked yet.
   *
   * @param cloud whom messages name
   * @param afterFailure how long until the next question when there was no answer
   */
  public Looks(String cloud, Asker asker, InstantSource time, Duration afterFailure, Door<F> door) {
    this.cloud = cloud;
    this.asker = asker;
    this.time = time;
    this.afterFailure = afterFailure;
    this.door = door;
  }

  /** The next question is to be asked at once. */
  public void soon() {
    next = Instant.EPOCH;
  }

  /** Whether the cloud has shown once what there is of the run. */
  public boolean hasLookedAt(String run) {
    return runsLookedAt.contains(run);
  }

  /** Asks, if it is time to, or if one of the runs is new. */
  public void look(Set<String> runs, Set<String> strangers) {
    boolean due = !runsLookedAt.containsAll(runs) || !time.instant().isBefore(next);
    if (looking || !due || (runs.isEmpty() && strangers.isEmpty())) {
      return;
    }
    looking = true;
    Asked asked = new Asked(runs, strangers, time.instant());
    asker.ask(
        () -> door.ask(asked.runs(), asked.strangers()),
        found -> answered(asked, found),
        this::failed);
  }

  private void answered(Asked asked, F found) {
    looking = false;
    lastProblem = "";
    runsLookedAt.addAll(asked.runs());
    door.found(asked, found);
    next = time.instant().plus(door.pause());
    door.step();
  }

  private void failed(CloudFailure failure) {
    if (failure.message().equals(lastProblem)) {
      LOG.debug("{} still does not tell: {}", cloud, failure.message());
    } else {
      LOG.warn("{} does not tell what there is: {}", cloud, failure.message());
    }
    lastProblem = failure.message();
    if (failure instanceof CloudFailure.Permission) {
      door.mayNotLook(failure.message());
    }
    looking = false;
    next = time.instant().plus(afterFailure);
  }
}
