package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.gcp.account.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What was done to the instances of one name, oldest first, in whatever zones: of these, one at
 * most was made.
 */
record History(List<Operation> operations) {
  History {
    operations = List.copyOf(operations);
  }

  /** What has made the instance, or is about to. */
  Optional<Operation> insertion() {
    return operations.stream()
        .filter(some -> some.inserts() && some.failure().isEmpty())
        .reduce((first, second) -> second);
  }

  /** When the instance was gone, if it was made and is gone. */
  Optional<Instant> end() {
    return insertion()
        .flatMap(
            made ->
                operations.stream()
                    .filter(some -> some.zone().equals(made.zone()))
                    .filter(some -> some.deletes() || some.preempts())
                    .filter(
                        some -> some.hasSucceeded() && !some.requested().isBefore(made.requested()))
                    .reduce((first, second) -> second)
                    .flatMap(Operation::ended));
  }

  /** Whether Google has taken the instance back, or is about to. */
  boolean isPreempted() {
    return operations.stream().anyMatch(Operation::preempts);
  }

  /** The last thing that Google did of itself, in its words. */
  Optional<String> cause() {
    return operations.stream()
        .filter(some -> some.type().startsWith("compute."))
        .map(Operation::type)
        .reduce((first, second) -> second);
  }
}
