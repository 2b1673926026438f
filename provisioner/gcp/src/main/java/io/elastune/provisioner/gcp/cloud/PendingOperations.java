package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.Operation;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Polls the operations in progress until they end. */
final class PendingOperations {
  private final ProjectContext context;
  private final Map<String, PendingOperation> pendingOperation = new LinkedHashMap<>();

  private static final class PendingOperation {
    private final Operation operation;
    private final Consumer<Operation> done;
    private Instant last;
    private boolean polling;

    PendingOperation(Operation operation, Consumer<Operation> done, Instant now) {
      this.operation = operation;
      this.done = done;
      this.last = now;
    }
  }

  PendingOperations(ProjectContext context) {
    this.context = context;
  }

  /** Calls {@code done} when the operation has ended, or immediately if it already has. */
  void add(Operation operation, Consumer<Operation> done) {
    if (operation.isDone()) {
      done.accept(operation);
    } else {
      pendingOperation.put(operation.name(), new PendingOperation(operation, done, context.now()));
    }
  }

  /** Polls the operations that are due, the least recently polled first. */
  void poll() {
    Instant now = context.now();
    List<PendingOperation> due =
        pendingOperation.values().stream()
            .filter(
                some ->
                    !some.polling && !now.isBefore(some.last.plus(context.pace().pollInterval())))
            .sorted(Comparator.comparing(some -> some.last))
            .takeWhile(some -> context.reads().tryAcquire(now))
            .toList();
    due.forEach(this::pollOne);
  }

  private void pollOne(PendingOperation some) {
    some.polling = true;
    some.last = context.now();
    Operation operation = some.operation;
    context
        .asyncCaller()
        .call(
            () -> context.compute().operation(operation.zone(), operation.name()),
            found -> {
              some.polling = false;
              if (found.isDone()) {
                ended(some, found);
              }
            },
            failure -> {
              some.polling = false;
              if (failure instanceof CloudFailure.Invalid) { // Google no longer has a record of it
                ended(some, unknown(operation, failure));
              } else if (failure instanceof CloudFailure.Throttled) {
                context.reads().pause(context.now(), context.pace().throttlePause());
              }
            });
  }

  private void ended(PendingOperation some, Operation operation) {
    if (pendingOperation.remove(operation.name()) != null) {
      some.done.accept(operation);
    }
  }

  private Operation unknown(Operation operation, CloudFailure why) {
    return new Operation(
        operation.name(),
        operation.zone(),
        operation.type(),
        operation.instance(),
        operation.requested(),
        Optional.of(context.now()),
        Optional.of(new CloudFailure.UnknownOutcome(why.message())));
  }
}
