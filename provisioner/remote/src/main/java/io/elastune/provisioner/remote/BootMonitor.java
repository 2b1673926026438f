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
public final class BootMonitor<R extends BootMonitor.BootingNode> {
  private final AsyncCaller asyncCaller;
  private final InstantSource time;
  private final RateLimit limit;
  private final Timeouts timeouts;
  private final Callbacks<R> callbacks;

  /** A lease whose node may be booting. */
  public interface BootingNode {
    String lease();

    Optional<LeaseRequest> request();

    BootProgress boot();

    /** Returns whether the node has not reported yet that it is ready. */
    boolean isBooting();

    /** Returns the address at which the run's other nodes reach it, if known. */
    Optional<String> address();
  }

  /** The operations that a provider implements. */
  public interface Callbacks<R> {
    /** Returns a blocking query for the report of a booting node; runs on another thread. */
    Supplier<Optional<NodeReport>> reportQuery(R lease);

    /** Handles a node that has not reported in time. */
    void onLostContact(R lease, String message);

    void emit(CloudEvent event);
  }

  /**
   * The timeouts of boot monitoring.
   *
   * @param queryInterval time between two queries of the same node
   * @param bootTimeout time within which a running node must report that it is ready
   * @param throttlePause pause of all queries after the cloud has throttled one
   */
  public record Timeouts(Duration queryInterval, Duration bootTimeout, Duration throttlePause) {}

  /** Creates a monitor; {@code limit} is the rate limit of the queries. */
  public BootMonitor(
      AsyncCaller asyncCaller,
      InstantSource time,
      RateLimit limit,
      Timeouts timeouts,
      Callbacks<R> callbacks) {
    this.asyncCaller = asyncCaller;
    this.time = time;
    this.limit = limit;
    this.timeouts = timeouts;
    this.callbacks = callbacks;
  }

  /** Queries the nodes that are due, those with the oldest query first. */
  public void pollBooting(Collection<R> rentals) {
    Instant now = time.instant();
    List<R> due =
        rentals.stream()
            .filter(lease -> lease.isBooting() && !lease.boot().isQueryPending())
            .filter(
                lease -> !now.isBefore(lease.boot().lastQueryAt().plus(timeouts.queryInterval())))
            .sorted(Comparator.comparing(lease -> lease.boot().lastQueryAt()))
            .takeWhile(lease -> limit.tryAcquire(now))
            .toList();
    due.forEach(lease -> pollBooting(lease, now));
  }

  private void pollBooting(R lease, Instant now) {
    lease.boot().startQuery(now);
    asyncCaller.call(
        callbacks.reportQuery(lease),
        report -> {
          lease.boot().finishQuery();
          report.ifPresentOrElse(
              nodeReport -> handleReport(lease, nodeReport), () -> checkTimeout(lease));
        },
        failure -> {
          lease.boot().finishQuery();
          handleFailure(lease, failure);
        });
  }

  /** Handles a failed query; without the permission, the node's report can never be read. */
  private void handleFailure(R lease, CloudFailure failure) {
    if (failure instanceof CloudFailure.Permission && lease.isBooting()) {
      setupFailed(lease, failure.message());
      return;
    }
    if (failure instanceof CloudFailure.Throttled) {
      limit.pause(time.instant(), timeouts.throttlePause());
    }
    checkTimeout(lease);
  }

  private void handleReport(R lease, NodeReport report) {
    Optional<LeaseRequest> request = lease.request();
    if (!lease.isBooting() || request.isEmpty()) {
      return;
    }
    if (!report.isReady()) {
      setupFailed(lease, "exit code " + report.exit() + "; end of its output: " + report.output());
      return;
    }
    lease.boot().finish();
    List<String> slots =
        IntStream.range(0, request.get().offer().gpus()).mapToObj(Integer::toString).toList();
    String address = lease.address().filter(some -> !some.isEmpty()).orElse(lease.lease());
    callbacks.emit(
        new CloudEvent.Ready(lease.lease(), new Node(address, slots, slots), time.instant()));
  }

  private void setupFailed(R lease, String message) {
    lease.boot().finish();
    callbacks.emit(new CloudEvent.SetupFailed(lease.lease(), message, time.instant()));
  }

  private void checkTimeout(R lease) {
    Duration waited = Duration.between(lease.boot().startedAt(), time.instant());
    if (lease.isBooting() && waited.compareTo(timeouts.bootTimeout()) > 0) {
      callbacks.onLostContact(
          lease,
          "the node has not reported within " + waited.toMinutes() + " min that it is ready");
    }
  }
}
