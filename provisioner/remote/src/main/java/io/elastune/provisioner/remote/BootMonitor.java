package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.NodePreparation;
import io.elastune.provisioner.PreparationStep;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Polls booting nodes and reports when they are ready or a step of their preparation has failed.
 * Used in the event loop only.
 */
final class BootMonitor {
  private final LeaseContext context;
  private final InstanceMonitor instanceMonitor;

  BootMonitor(LeaseContext context, InstanceMonitor instanceMonitor) {
    this.context = context;
    this.instanceMonitor = instanceMonitor;
  }

  /** Queries the nodes that are due, those with the oldest query first. */
  void poll(Collection<TrackedLease> leases) {
    Instant now = context.now();
    List<TrackedLease> due =
        leases.stream()
            .filter(lease -> lease.isBooting() && !lease.boot().isQueryPending())
            .filter(lease -> lease.boot().unreadable().isEmpty())
            .filter(
                lease ->
                    !now.isBefore(lease.boot().lastQueryAt().plus(context.pace().pollInterval())))
            .sorted(Comparator.comparing(lease -> lease.boot().lastQueryAt()))
            .takeWhile(lease -> context.limits().reads().tryAcquire(now))
            .toList();
    due.forEach(lease -> lease.instanceId().ifPresent(id -> query(lease, id, now)));
    leases.stream()
        .filter(lease -> lease.boot().unreadable().isPresent())
        .forEach(this::checkTimeout);
  }

  private void query(TrackedLease lease, String id, Instant now) {
    lease.boot().startQuery(now);
    context
        .asyncCaller()
        .call(
            () -> context.api().bootReport(id),
            report -> {
              lease.boot().finishQuery();
              report.ifPresentOrElse(some -> handle(lease, some), () -> checkTimeout(lease));
            },
            failure -> {
              lease.boot().finishQuery();
              handleFailure(lease, failure);
            });
  }

  /** Handles a failed query; without the permission, the node must be confirmed in another way. */
  private void handleFailure(TrackedLease lease, CloudFailure failure) {
    if (failure instanceof CloudFailure.Permission permission && !permission.isLogin()) {
      lease.boot().markUnreadable(failure.message());
    }
    if (failure instanceof CloudFailure.Throttled) {
      context.limits().reads().pause(context.now(), context.pace().throttlePause());
    }
    checkTimeout(lease);
  }

  /** Reports a node as ready that works, whatever it has reported so far. */
  void confirm(TrackedLease lease) {
    handle(lease, NodeReport.READY);
  }

  private void handle(TrackedLease lease, NodeReport report) {
    Optional<LeaseRequest> request = lease.request();
    if (!lease.isBooting() || request.isEmpty()) {
      return;
    }
    if (!report.isReady()) {
      fail(
          lease,
          PreparationStep.ofExit(report.exit(), PreparationStep.JOIN),
          "the boot script ended with exit code "
              + report.exit()
              + "; end of its output:\n"
              + report.output());
      return;
    }
    List<String> slots =
        IntStream.range(0, request.get().offer().gpus()).mapToObj(Integer::toString).toList();
    String address =
        lease
            .instance()
            .map(RemoteInstance::address)
            .filter(some -> !some.isEmpty())
            .orElse(lease.id());
    finish(
        lease,
        new CloudEvent.Ready(
            lease.id(),
            new Node(address, slots, slots),
            context.now(),
            preparation(lease, request.get(), report)));
  }

  private void finish(TrackedLease lease, CloudEvent outcome) {
    lease.boot().finish(outcome);
    context.emit(outcome);
  }

  /**
   * Repeats the report that the node is ready, or that its setup has failed, unless the instance is
   * lost or will be interrupted.
   */
  void repeat(TrackedLease lease) {
    if (lease.wanted && !lease.reportedLost && !lease.reportedNotice) {
      lease.boot().outcome().ifPresent(context::emit);
    }
  }

  private static NodePreparation preparation(
      TrackedLease lease, LeaseRequest request, NodeReport report) {
    OptionalDouble none = request.setup().isEmpty() ? OptionalDouble.of(0) : report.setupS();
    return NodePreparation.withoutImage(
        lease.instance().map(RemoteInstance::zone).filter(zone -> !zone.isEmpty()),
        report.setupS().isPresent() ? report.setupS() : none);
  }

  private void fail(TrackedLease lease, PreparationStep step, String message) {
    context.avoidZone(lease);
    finish(lease, new CloudEvent.PreparationFailed(lease.id(), step, message, context.now()));
  }

  private void checkTimeout(TrackedLease lease) {
    Duration waited = Duration.between(lease.boot().startedAt(), context.now());
    if (!lease.isBooting() || waited.compareTo(context.pace().bootTimeout()) <= 0) {
      return;
    }
    Optional<String> unreadable = lease.boot().unreadable();
    if (unreadable.isPresent()) {
      fail(
          lease,
          PreparationStep.JOIN,
          "the node has not joined within "
              + waited.toMinutes()
              + " min, and its report cannot be read: "
              + unreadable.get());
    } else {
      instanceMonitor.markLost(
          lease,
          LossReason.LOST_CONTACT,
          "the node has not reported within " + waited.toMinutes() + " min that it is ready");
    }
  }
}
