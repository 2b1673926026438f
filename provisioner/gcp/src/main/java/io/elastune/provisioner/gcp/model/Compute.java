package io.elastune.provisioner.gcp.model;

import io.elastune.provisioner.CloudException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Calls Compute Engine in one project. Every method blocks until the response arrives and is
 * thread-safe.
 *
 * @implSpec every method throws {@link CloudException} with the failure
 */
public interface Compute extends AutoCloseable {
  /** Returns the zones of a region that are up. */
  List<String> zones(String region);

  /**
   * Starts to create one instance, at most one for each request ID. The call is never retried
   * automatically: after {@link io.elastune.provisioner.CloudFailure.UnknownOutcome} the caller
   * must determine the outcome.
   */
  Operation insert(InsertRequest order);

  /**
   * Creates a placement policy for the collocated instances of a run, unless one with that name
   * exists. Waits until it can be used.
   */
  void createPolicy(String region, String name, String run);

  /** Deletes the placement policies of a run. Waits until they no longer exist. */
  void deletePolicies(String region, String run);

  /**
   * Starts to delete an instance, at most once for each request ID.
   *
   * @throws CloudException with {@code Invalid} also if no instance has that name
   */
  Operation delete(String zone, String name, String requestId);

  /** Returns the current state of an operation. */
  Operation operation(String zone, String name);

  /**
   * Returns the instance with that name in that zone; empty if Google reports that it does not
   * exist.
   */
  Optional<GceInstance> find(String zone, String name);

  /**
   * Returns the instances of all zones whose label has one of these values, from all result pages.
   */
  InstanceListing listByLabel(String label, Collection<String> values);

  /** Returns all instances that have the label, with any value. */
  InstanceListing listByLabel(String label);

  /**
   * Returns the operations on instances with that name in all zones, oldest first. Google keeps
   * them for some weeks.
   */
  List<Operation> operationHistory(String instanceName);

  /** Starts to set one item of an instance's metadata. */
  Operation setMetadata(String zone, String name, String key, String value);

  /** Returns the guest attributes that the instance has set, by name; empty if it has set none. */
  Map<String, String> guestAttributes(String zone, String name);

  @Override
  void close();
}
