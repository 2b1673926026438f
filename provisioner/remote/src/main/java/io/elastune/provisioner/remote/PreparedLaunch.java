package io.elastune.provisioner.remote;

import java.util.Optional;

/** A call that creates one instance. Sending it again creates no second instance. */
public interface PreparedLaunch {
  /** Returns the zone of the instance; empty if the cloud chooses it. */
  Optional<String> zone();

  /**
   * Sends the call and blocks until the cloud responds.
   *
   * @throws io.elastune.provisioner.CloudException with the failure
   */
  Launched send();

  /**
   * The cloud's response.
   *
   * @param operation the creation, which may still fail
   * @param instance the instance, if the response describes it
   */
  record Launched(RemoteOperation operation, Optional<RemoteInstance> instance) {}
}
