package io.elastune.provisioner.gcp.model;

import io.elastune.provisioner.CloudFailure;
import java.time.Instant;
import java.util.Optional;

/**
 * An operation of Compute Engine on an instance. Most calls start one, and it may fail long after
 * the call succeeded.
 *
 * @param name Google's name of the operation
 * @param type Google's operation type, for example {@code insert} or {@code
 *     compute.instances.preempted}
 * @param instance the name of the instance
 * @param requested when it was requested
 * @param ended when it ended; empty while it is in progress
 * @param failure why it failed, with Google's error code; empty if it did not fail
 */
public record Operation(
    String name,
    String zone,
    String type,
    String instance,
    Instant requested,
    Optional<Instant> ended,
    Optional<CloudFailure> failure) {
  /** The type of an operation that creates an instance. */
  public static final String INSERT = "insert";

  private static final String PREEMPTED = "compute.instances.preempted";
  private static final String DELETE = "delete";

  /** Returns whether it has ended, successfully or not. */
  public boolean isDone() {
    return ended.isPresent();
  }

  /** Returns whether it has ended successfully. */
  public boolean hasSucceeded() {
    return isDone() && failure.isEmpty();
  }

  /** Returns whether it creates the instance. */
  public boolean isInsert() {
    return type.equals(INSERT);
  }

  /** Returns whether it is a preemption by Google. */
  public boolean isPreemption() {
    return type.equals(PREEMPTED);
  }

  /** Returns whether it deletes the instance, for any reason. */
  public boolean isDelete() {
    return type.equals(DELETE) || type.endsWith("Delete");
  }
}
