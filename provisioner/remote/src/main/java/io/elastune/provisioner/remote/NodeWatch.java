package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Node;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Polls booting nodes and reports when they are ready or their setup has failed. Used in the event
 * loop only.
 *
 * @param <R> the provider's record of a lease
 */
public final class NodeWatch<R extends NodeWatch.Rented> {
  private final Asker asker;
  private final InstantSource time;
  private final RateLimit limit;
  private final Times times;
  private final Door<R> door;

  /** A lease whose node may be booting. */
  public interface Rented {
    String lease();

    Optional<LeaseRequest> request();

    Boot boot();

    /** Returns whether the node has not reported yet that it is ready. */
    boolean isBooting();

    /** Returns the address at which the run's other nodes reach it, if known. */
    Optional<String> address();
  }

  /** The operations that a provider implements. */
  public interface Door<R> {
    /** Returns a blocking query for the report of a booting node; runs on another thread. */
    Supplier<Optional<NodeReport>> question(R rental);

    /** Handles a node that has not reported in time. */
    void lostContact(R rental, String message);

    void tell(CloudEvent event);
  }

  /**
   * The timeouts of boot monitoring.
   *
   * @param look time between two queries of the same node
   * @param boot time within which a running node must report that it is ready
   * @param backOff pause of all queries after the cloud has throttled one
   */
  public record Times(Duration look, Duration boot, Duration backOff) {}

  /** Creates a monitor; {@code limit} is the rate limit of the queries. */
  public NodeWatch(Asker asker, InstantSource time, RateLimit limit, Times times, Door<R> door) {
    this.asker = asker;
    this.time = time;
    this.limit = limit;
    this.times = times;
    this.door = door;
  }

  /** Queries the nodes that are due, those with the oldest query first. */
  public void ask(Collection<R> rentals) {
    Instant now = time.instant();
    List<R> due =
        rentals.stream()
            .filter(rental -> rental.isBooting() && !rental.boot().isAsking())
            .filter(rental -> !now.isBefore(rental.boot().askedLast().plus(times.look())))
            .sorted(Comparator.comparing(rental -> rental.boot().askedLast()))
            .takeWhile(rental -> limit.take(now))
            .toList();
    due.forEach(rental -> ask(rental, now));
  }

  private void ask(R rental, Instant now) {
    rental.boot().ask(now);
    asker.ask(
        door.question(rental),
        report -> {
          rental.boot().answered();
          report.ifPresentOrElse(told -> handleReport(rental, told), () -> checkTimeout(rental));
        },
        failure -> {
          rental.boot().answered();
          handleFailure(rental, failure);
        });
  }

  /** Handles a failed query; without the permission, the node's report can never be read. */
  private void handleFailure(R rental, CloudFailure failure) {
    if (failure instanceof CloudFailure.Permission && rental.isBooting()) {
      setupFailed(rental, failure.message());
      return;
    }
    if (failure instanceof CloudFailure.Throttled) {
      limit.close(time.instant(), times.backOff());
    }
    checkTimeout(rental);
  }

  private void handleReport(R rental, NodeReport report) {
    Optional<LeaseRequest> request = rental.request();
    if (!rental.isBooting() || request.isEmpty()) {
      return;
    }
    if (!report.ready()) {
      setupFailed(rental, "exit code " + report.exit() + "; end of its output: " + report.output());
      return;
    }
    rental.boot().end();
    List<String> slots =
        IntStream.range(0, request.get().offer().gpus()).mapToObj(Integer::toString).toList();
    String address = rental.address().filter(some -> !some.isEmpty()).orElse(rental.lease());
    door.tell(new CloudEvent.Ready(rental.lease(), new Node(address, slots), time.instant()));
  }

  private void setupFailed(R rental, String message) {
    rental.boot().end();
    door.tell(new CloudEvent.SetupFailed(rental.lease(), message, time.instant()));
  }

  private void checkTimeout(R rental) {
    Duration waited = Duration.between(rental.boot().since(), time.instant());
    if (rental.isBooting() && waited.compareTo(times.boot()) > 0) {
      door.lostContact(
          rental,
          "the node has not reported within " + waited.toMinutes() + " min that it is ready");
    }
  }
}
