package io.elastune.provisioner.remote;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.LeaseRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The calls to one cloud that the life cycle of leases needs: an adapter implements them, and
 * {@link RemoteCloud} decides when to call them. Unless stated otherwise, each method blocks until
 * the cloud responds, and is thread-safe.
 *
 * @implSpec every method throws {@link io.elastune.provisioner.CloudException} with the failure. No
 *     call is retried automatically if its outcome is unknown.
 */
public interface InstanceApi extends AutoCloseable {
  /** Returns the name of the cloud in messages, such as {@code EC2}; does not block. */
  String cloudName();

  /** Returns how long before an interruption the cloud announces it; does not block. */
  Duration noticePeriod();

  /**
   * Returns the zones to try for an offer, in order, if they are known without a call; does not
   * block. An empty zone lets the cloud choose.
   */
  Optional<List<Optional<String>>> knownZones(Offer offer);

  /** Returns the zones to try for an offer, in order. */
  List<Optional<String>> zones(Offer offer);

  /**
   * Prepares the creation of an instance; does not block.
   *
   * @param zone one of {@link #zones}
   * @param expires the first expiry of the node
   * @param failures how many creations for this lease have failed after they had begun: the cloud
   *     would repeat its response to the same idempotency token
   */
  PreparedLaunch prepare(
      LeaseRequest request, Optional<String> zone, Instant expires, int failures);

  /** Returns the current state of an operation that has not ended. */
  RemoteOperation poll(RemoteOperation pending);

  /**
   * Returns the instances with one of these values of a tag, in any stage, from all pages. The list
   * may be eventually consistent.
   */
  InstanceList list(String tag, Collection<String> values);

  /** Returns an instance by its id; empty if the cloud reports that it does not exist. */
  Optional<RemoteInstance> find(String id);

  /**
   * Starts to terminate instances. Terminated instances are no failure.
   *
   * @param ids at most {@link #batchSize} ids
   * @param token distinguishes this request from earlier ones for the same instances, to which the
   *     cloud would repeat its response
   * @return the operation at whose end the instance no longer exists; empty if the cloud has no
   *     such operation and only its lists show the end
   */
  Optional<RemoteOperation> terminate(List<String> ids, String token);

  /**
   * Starts to set the expiry of at most {@link #batchSize} nodes.
   *
   * @return the operation at whose end the nodes can read it; empty if they can read it now
   */
  Optional<RemoteOperation> extendExpiry(List<String> ids, Instant expires);

  /** Returns the largest number of instances that one call may change; does not block. */
  int batchSize();

  /**
   * Returns whether the cloud records more about instances than their descriptions contain; does
   * not block.
   */
  boolean recordsHistory();

  /**
   * Returns what the cloud has recorded about the instance of a lease, whether or not it exists;
   * {@link InstanceHistory#NONE} if it records nothing.
   */
  InstanceHistory history(String lease);

  /**
   * Returns for how long after its end the cloud at least knows that an instance existed; does not
   * block.
   */
  Duration remembersEnded();

  /** Returns the spot instances among these that the cloud has announced to interrupt. */
  Set<String> interruptionNotices(Collection<String> ids);

  /**
   * Returns the list price that the cloud charges for an instance, in USD per hour; empty if the
   * cloud cannot be asked.
   */
  OptionalDouble chargedUsdPerHour(RemoteInstance instance);

  /** Returns the report of a node about its setup; empty if there is none yet. */
  Optional<NodeReport> bootReport(String id);

  /**
   * Returns when the login ends with which calls are made; empty if it is renewed automatically, or
   * if that is not known.
   */
  default Optional<ExpiringLogin> expiringLogin(Instant now) {
    return Optional.empty();
  }

  /** Deletes the placement groups of a run, except those that still contain an instance. */
  void deleteGroups(String run);

  @Override
  void close();
}
