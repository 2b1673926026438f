package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.LeaseSetup;
import io.elastune.executor.ray.acceptance.NodeAcceptance;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.provisioner.CloudEvent;
import java.time.Duration;
import java.time.Instant;

/** What the leases of a Ray cluster share. Used on the event loop only. */
interface RayCloudContext {
  RayConnection connection();

  LeaseSetup setup();

  NodeAcceptance acceptance();

  LeaseRecords records();

  Instant now();

  void emit(CloudEvent event);

  /** Removes a lease that was refused: it may be requested again. */
  void forget(String lease);

  /** Makes later requests use another node than that with an address. */
  void avoid(String ip);

  /** Returns whether the cluster has no node with this address that is alive. */
  boolean isDead(String ip);

  /** Returns how long a request stays pending before it is refused. */
  Duration queueLimit();

  /** Returns the time without an answer of a node after which it is lost. */
  Duration lostAfter();

  /** Returns the time without a renewal after which the agent of a lease ends. */
  Duration timeToLive(String lease);
}
