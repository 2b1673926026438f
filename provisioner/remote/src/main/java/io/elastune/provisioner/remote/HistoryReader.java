package io.elastune.provisioner.remote;

import java.util.Collection;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the cloud has recorded about leases whose creation this process has not seen. Used in
 * the event loop only.
 */
final class HistoryReader {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryReader.class);

  private final LeaseContext context;
  private final PendingOperations pendingOperations;

  /** Receives leases whose instance the cloud is creating or has created. */
  private final Consumer<TrackedLease> created;

  HistoryReader(
      LeaseContext context, PendingOperations pendingOperations, Consumer<TrackedLease> created) {
    this.context = context;
    this.pendingOperations = pendingOperations;
    this.created = created;
  }

  /** Reads the histories that are needed. */
  void readPending(Collection<TrackedLease> leases) {
    leases.stream()
        .filter(lease -> lease.in(TrackedLease.Phase.SEARCHING) || lease.historyNeeded)
        .filter(lease -> lease.isOpen() && !lease.historyRequested)
        .takeWhile(lease -> context.limits().reads().tryAcquire(context.now()))
        .forEach(this::read);
  }

  private void read(TrackedLease lease) {
    lease.historyRequested = true;
    context
        .asyncCaller()
        .call(
            () -> context.api().history(lease.id()),
            history -> handle(lease, history),
            failure -> {
              LOG.warn("Reading the history of {} failed: {}", lease.id(), failure.message());
              lease.historyRequested = false;
            });
  }

  private void handle(TrackedLease lease, InstanceHistory history) {
    lease.history = history;
    if (!lease.in(TrackedLease.Phase.SEARCHING) || history.creation().isEmpty()) {
      return;
    }
    RemoteOperation creation = history.creation().get();
    if (!creation.isDone()) {
      pendingOperations.add(creation, over -> created.accept(lease));
    }
    created.accept(lease);
  }
}
