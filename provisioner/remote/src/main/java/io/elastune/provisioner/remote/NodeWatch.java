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
 * Asks booting nodes how far they are, and tells that they are ready, or how their setup failed.
 * Used in the loop only.
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

    /** Whether its node has yet to tell that it is ready. */
    boolean isBooting();

    /** By which the run's other nodes reach it, if it is known. */
    Optional<String> address();
  }

  /** What a kind of cloud does for it. */
  public interface Door<R> {
    /** How a booting node is asked; the answer is waited for in a thread of its own. */
    Supplier<Optional<NodeReport>> question(R rental);

    /** The node has been silent for too long. */
    void lostContact(R rental, String message);

    void tell(CloudEvent event);
  }

  /**
   * How long all that takes.
   *
   * @param look between two questions to the same node
   * @param boot how long a running node may take to tell that it is ready
   * @param backOff how long nobody is asked after the cloud has said that we ask too often
   */
  public record Times(Duration look, Duration boot, Duration backOff) {}

  /** {@code limit}: as often as nodes may be asked. */
  public NodeWatch(Asker asker, InstantSource time, RateLimit limit, Times times, Door<R> door) {
    this.asker = asker;
    this.time = time;
    this.limit = limit;
    this.times = times;
    this.door = door;
  }

  /** Asks those of which nothing was asked for longest. */
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
          report.ifPresentOrElse(told -> booted(rental, told), () -> patience(rental));
        },
        failure -> {
          rental.boot().answered();
          unread(rental, failure);
        });
  }

  /** Without the permission, waiting for the node's word is in vain. */
  private void unread(R rental, CloudFailure failure) {
    if (failure instanceof CloudFailure.Permission && rental.isBooting()) {
      setupFailed(rental, failure.message());
      return;
    }
    if (failure instanceof CloudFailure.Throttled) {
      limit.close(time.instant(), times.backOff());
    }
    patience(rental);
  }

  private void booted(R rental, NodeReport report) {
    Optional<LeaseRequest> request = rental.request();
    if (!rental.isBooting() || request.isEmpty()) {
      return;
    }
    if (!report.ready()) {
      setupFailed(
          rental, "exit code " + report.exit() + ", and its output ends: " + report.output());
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

  private void patience(R rental) {
    Duration waited = Duration.between(rental.boot().since(), time.instant());
    if (rental.isBooting() && waited.compareTo(times.boot()) > 0) {
      door.lostContact(
          rental, "the node has not told within " + waited.toMinutes() + " min that it is ready");
    }
  }
}
