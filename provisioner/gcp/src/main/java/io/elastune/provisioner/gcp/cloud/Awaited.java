package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.account.Operation;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Operations under way: Google is asked of each, time and again, how far it is. */
final class Awaited {
  private final ProjectContext context;
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();

  private static final class Waiting {
    private final Operation operation;
    private final Consumer<Operation> done;
    private Instant last;
    private boolean asking;

    Waiting(Operation operation, Consumer<Operation> done, Instant now) {
      this.operation = operation;
      this.done = done;
      this.last = now;
    }
  }

  Awaited(ProjectContext context) {
    this.context = context;
  }

  /** Tells when the operation is over; at once, if it is. */
  void add(Operation operation, Consumer<Operation> done) {
    if (operation.isDone()) {
      done.accept(operation);
    } else {
      waiting.put(operation.name(), new Waiting(operation, done, context.now()));
    }
  }

  /** Asks of those of which nothing was asked for longest. */
  void poll() {
    Instant now = context.now();
    List<Waiting> due =
        waiting.values().stream()
            .filter(some -> !some.asking && !now.isBefore(some.last.plus(context.pace().look())))
            .sorted(Comparator.comparing(some -> some.last))
            .takeWhile(some -> context.reads().take(now))
            .toList();
    due.forEach(this::ask);
  }

  private void ask(Waiting some) {
    some.asking = true;
    some.last = context.now();
    Operation operation = some.operation;
    context
        .asker()
        .ask(
            () -> context.compute().operation(operation.zone(), operation.name()),
            found -> {
              some.asking = false;
              if (found.isDone()) {
                over(some, found);
              }
            },
            failure -> {
              some.asking = false;
              if (failure instanceof CloudFailure.Invalid) { // Google does not know it any more
                over(some, lost(operation, failure));
              } else if (failure instanceof CloudFailure.Throttled) {
                context.reads().close(context.now(), context.pace().backOff());
              }
            });
  }

  private void over(Waiting some, Operation operation) {
    if (waiting.remove(operation.name()) != null) {
      some.done.accept(operation);
    }
  }

  private Operation lost(Operation operation, CloudFailure why) {
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
