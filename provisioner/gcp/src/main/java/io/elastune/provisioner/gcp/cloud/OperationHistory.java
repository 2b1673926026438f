package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.gcp.model.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The operations on the instances of one name in all zones, oldest first. At most one of these
 * instances was created.
 */
record OperationHistory(List<Operation> operations) {
  OperationHistory {
    operations = List.copyOf(operations);
  }

  /** Returns the operation that created, or is creating, the instance. */
  Optional<Operation> insertion() {
    return operations.stream()
        .filter(some -> some.isInsert() && some.failure().isEmpty())
        .reduce((first, second) -> second);
  }

  /** Returns when the instance ended, if it was created and has ended. */
  Optional<Instant> endTime() {
    return insertion()
        .flatMap(
            made ->
                operations.stream()
                    .filter(some -> some.zone().equals(made.zone()))
                    .filter(some -> some.isDelete() || some.isPreemption())
                    .filter(
                        some -> some.hasSucceeded() && !some.requested().isBefore(made.requested()))
                    .reduce((first, second) -> second)
                    .flatMap(Operation::ended));
  }

  /** Returns whether Google has preempted the instance or is preempting it. */
  boolean isPreempted() {
    return operations.stream().anyMatch(Operation::isPreemption);
  }

  /** Returns the type of the last operation that Google started by itself. */
  Optional<String> lastSystemOperation() {
    return operations.stream()
        .filter(some -> some.type().startsWith("compute."))
        .map(Operation::type)
        .reduce((first, second) -> second);
  }
}
