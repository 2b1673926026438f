package io.elastune.provisioner.gcp.account;

import io.elastune.provisioner.CloudFailure;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that Compute Engine does, or has done, to an instance: most calls begin one, and it may
 * fail long after the call went well.
 *
 * @param name Google's name for it
 * @param type what is done, in Google's words, e.g. {@code insert} or {@code
 *     compute.instances.preempted}
 * @param instance the name of the instance that it is done to
 * @param requested when it was asked for
 * @param ended when it was done; empty as long as it is not
 * @param failure why it failed, with Google's code; empty if it did not
 */
public record Operation(
    String name,
    String zone,
    String type,
    String instance,
    Instant requested,
    Optional<Instant> ended,
    Optional<CloudFailure> failure) {
  private static final String INSERT = "insert";
  private static final String PREEMPTED = "compute.instances.preempted";
  private static final String DELETE = "delete";

  /** Whether it is over, well or not. */
  public boolean isDone() {
    return ended.isPresent();
  }

  /** Whether it is over and went well. */
  public boolean hasSucceeded() {
    return isDone() && failure.isEmpty();
  }

  /** Whether it makes the instance. */
  public boolean inserts() {
    return type.equals(INSERT);
  }

  /** Whether Google takes the instance back. */
  public boolean preempts() {
    return type.equals(PREEMPTED);
  }

  /** Whether the instance was deleted by it, by whomever. */
  public boolean deletes() {
    return type.equals(DELETE) || type.endsWith("Delete");
  }
}
