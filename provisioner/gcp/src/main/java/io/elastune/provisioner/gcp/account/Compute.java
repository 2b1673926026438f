package io.elastune.provisioner.gcp.account;

import io.elastune.provisioner.CloudException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls of Compute Engine that are used, in one project. Each waits for its answer and may be
 * called from any thread.
 *
 * @implSpec every method throws {@link CloudException} with what went wrong
 */
public interface Compute extends AutoCloseable {
  /** The zones of a region that are up. */
  List<String> zones(String region);

  /**
   * Begins to make one instance, at most once for each request id. Never repeated by itself: after
   * {@link io.elastune.provisioner.CloudFailure.UnknownOutcome} the caller has to find out.
   */
  Operation insert(InsertOrder order);

  /**
   * Makes a placement policy, of the instances of a run that are to stand close together, unless
   * there is one of that name; waits until it can be used.
   */
  void makePolicy(String region, String name, String run);

  /** Removes the placement policies of a run; waits until they are no more. */
  void removePolicies(String region, String run);

  /**
   * Begins to delete an instance; the same request id does so once.
   *
   * @throws CloudException with {@code Invalid} also if there is none of that name
   */
  Operation delete(String zone, String name, String requestId);

  /** How far an operation is. */
  Operation operation(String zone, String name);

  /** The instance of that name in that zone; empty if Google says that there is none. */
  Optional<GceInstance> find(String zone, String name);

  /** Instances with one of these values of a label, in all zones, all pages of them. */
  Listing withLabel(String label, Collection<String> values);

  /** All instances that have the label, whatever its value. */
  Listing withLabel(String label);

  /**
   * What is, or was, done to instances of that name, in whatever zone, oldest first. Google tells
   * of it for some weeks.
   */
  List<Operation> history(String instanceName);

  /** Begins to set one item of an instance's metadata. */
  Operation note(String zone, String name, String key, String value);

  /** What the instance has told of itself, by name; empty as long as it has told nothing. */
  Map<String, String> told(String zone, String name);

  @Override
  void close();
}
