package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudFailure;
import java.time.Instant;
import java.util.Optional;

/**
 * What a cloud still knows about the instance of a lease, which may no longer exist.
 *
 * @param creation the operation that created or is creating the instance, if the cloud records it
 * @param ended when its billing ended, if that is known
 * @param preempted whether the cloud has preempted it or is preempting it
 * @param cause the cloud's words for why it stopped, if any
 * @param launchFailure why the cloud ended it instead of starting it, although it had accepted the
 *     launch
 */
public record InstanceHistory(
    Optional<RemoteOperation> creation,
    Optional<Instant> ended,
    boolean preempted,
    Optional<String> cause,
    Optional<CloudFailure> launchFailure) {
  /** The history of an instance about which nothing is recorded. */
  public static final InstanceHistory NONE =
      new InstanceHistory(
          Optional.empty(), Optional.empty(), false, Optional.empty(), Optional.empty());
}
