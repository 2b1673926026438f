package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudFailure;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Polls the operations in progress until they end. Used in the event loop only. */
final class PendingOperations {
  private final LeaseContext context;
  private final Map<String, Pending> pending = new LinkedHashMap<>();

  private static final class Pending {
    private final RemoteOperation operation;
    private final Consumer<RemoteOperation> done;
    private Instant last;
    private boolean polling;

    Pending(RemoteOperation operation, Consumer<RemoteOperation> done, Instant now) {
      this.operation = operation;
      this.done = done;
      this.last = now;
    }
  }

  PendingOperations(LeaseContext context) {
    this.context = context;
  }

  /** Calls {@code done} when the operation has ended, or immediately if it already has. */
  void add(RemoteOperation operation, Consumer<RemoteOperation> done) {
    if (operation.isDone()) {
      done.accept(operation);
    } else {
      pending.put(operation.name(), new Pending(operation, done, context.now()));
    }
  }

  /** Polls the operations that are due, the least recently polled first. */
  void poll() {
    Instant now = context.now();
    List<Pending> due =
        pending.values().stream()
            .filter(
                some ->
                    !some.polling && !now.isBefore(some.last.plus(context.pace().pollInterval())))
            .sorted(Comparator.comparing(some -> some.last))
            .takeWhile(some -> context.limits().reads().tryAcquire(now))
            .toList();
    due.forEach(this::poll);
  }

  private void poll(Pending some) {
    some.polling = true;
    some.last = context.now();
    context
        .asyncCaller()
        .call(
            () -> context.api().poll(some.operation),
            found -> {
              some.polling = false;
              if (found.isDone()) {
                ended(some, found);
              }
            },
            failure -> {
              some.polling = false;
              failed(some, failure);
            });
  }

  private void failed(Pending some, CloudFailure failure) {
    if (failure instanceof CloudFailure.Invalid) { // the cloud no longer has a record of it
      CloudFailure unknown = new CloudFailure.UnknownOutcome(failure.message());
      ended(some, some.operation.failed(unknown, context.now()));
    } else if (failure instanceof CloudFailure.Throttled) {
      context.limits().reads().pause(context.now(), context.pace().throttlePause());
    }
  }

  private void ended(Pending some, RemoteOperation operation) {
    if (pending.remove(some.operation.name()) != null) {
      some.done.accept(operation);
    }
  }
}
