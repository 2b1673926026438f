package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.gcp.model.Operation;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the operation histories of leases that an earlier controller requested. */
final class OperationHistoryReader {
  private static final Logger LOG = LoggerFactory.getLogger(OperationHistoryReader.class);

  private final ProjectContext context;
  private final PendingOperations pendingOperations;

  /** Receives leases whose instance Google is creating or has created. */
  private final Consumer<TrackedLease> made;

  OperationHistoryReader(
      ProjectContext context, PendingOperations pendingOperations, Consumer<TrackedLease> made) {
    this.context = context;
    this.pendingOperations = pendingOperations;
    this.made = made;
  }

  /** Reads the histories that are needed. */
  void readPending(Collection<TrackedLease> trackedLeases) {
    trackedLeases.stream()
        .filter(
            trackedLease ->
                trackedLease.in(TrackedLease.Phase.SEARCHING) || trackedLease.historyNeeded)
        .filter(trackedLease -> trackedLease.isOpen() && !trackedLease.historyRequested)
        .takeWhile(trackedLease -> context.reads().tryAcquire(context.now()))
        .forEach(this::read);
  }

  private void read(TrackedLease trackedLease) {
    trackedLease.historyRequested = true;
    context
        .asyncCaller()
        .call(
            () -> new OperationHistory(context.compute().operationHistory(trackedLease.name())),
            operationHistory -> handle(trackedLease, operationHistory),
            failure -> {
              LOG.warn(
                  "Reading the operation history of {} failed: {}",
                  trackedLease.name(),
                  failure.message());
              trackedLease.historyRequested = false;
            });
  }

  private void handle(TrackedLease trackedLease, OperationHistory operationHistory) {
    trackedLease.history = operationHistory;
    Optional<Operation> insertion = operationHistory.insertion();
    if (!trackedLease.in(TrackedLease.Phase.SEARCHING) || insertion.isEmpty()) {
      return;
    }
    if (!insertion.get().isDone()) {
      pendingOperations.add(insertion.get(), over -> made.accept(trackedLease));
    }
    made.accept(trackedLease);
  }
}
