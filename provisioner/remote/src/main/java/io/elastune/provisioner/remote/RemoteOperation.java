package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudFailure;
import java.time.Instant;
import java.util.Optional;

/**
 * A change that a cloud has begun. It may fail long after the call that requested it succeeded.
 * Clouds whose calls take effect at once return operations that have ended.
 *
 * @param name identifies the operation
 * @param instance the {@link RemoteInstance#id} that it concerns
 * @param zone the zone of that instance
 * @param requested when it was requested, by the cloud's clock
 * @param ended when it ended; empty while it is in progress
 * @param failure why it failed; empty if it did not fail
 */
public record RemoteOperation(
    String name,
    String instance,
    String zone,
    Instant requested,
    Optional<Instant> ended,
    Optional<CloudFailure> failure) {
  /** Returns whether it has ended, successfully or not. */
  public boolean isDone() {
    return ended.isPresent();
  }

  /** Returns whether it has ended successfully. */
  public boolean hasSucceeded() {
    return isDone() && failure.isEmpty();
  }

  /** Returns this operation, ended with a failure. */
  public RemoteOperation failed(CloudFailure cause, Instant at) {
    return new RemoteOperation(
        name, instance, zone, requested, Optional.of(at), Optional.of(cause));
  }
}
