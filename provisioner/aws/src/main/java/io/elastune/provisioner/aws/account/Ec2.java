package io.elastune.provisioner.aws.account;

import io.elastune.provisioner.CloudException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The calls of EC2 that are used, in one region. Each waits for its answer and may be called from
 * any thread.
 *
 * @implSpec every method throws {@link CloudException} with what went wrong
 */
public interface Ec2 extends AutoCloseable {
  /**
   * Launches one instance, at most once for each token. It is never repeated by itself: after
   * {@link io.elastune.provisioner.CloudFailure.UnknownOutcome} the caller has to find out.
   */
  Ec2Instance launch(LaunchOrder order);

  /** Asks whether {@link #launch} would be permitted; launches nothing. */
  void wouldLaunch(LaunchOrder order);

  /**
   * Instances with one of these values of a tag, in whatever state, all pages of them. May lag
   * behind what was done, in both directions.
   */
  List<Ec2Instance> withTag(String tag, Collection<String> values);

  /** All instances that have the tag, whatever its value. */
  List<Ec2Instance> withTag(String tag);

  /**
   * Instances by their ids; may lag behind too.
   *
   * @throws CloudException with {@code Invalid} if EC2 does not know one of them
   */
  List<Ec2Instance> withIds(Collection<String> ids);

  /** Those of these instances, on spot, which EC2 has marked: it will end them in two minutes. */
  Set<String> marked(Collection<String> ids);

  /** What a type cost on spot in a zone at a moment, USD per hour; empty if EC2 does not tell. */
  OptionalDouble spotUsdPerHour(String type, String zone, Instant at);

  /** Makes a group whose instances stand close together, if it is not there yet. */
  void makeGroup(String name, Map<String, String> tags);

  /** Removes the groups with that tag; one in which an instance is left stays. */
  void removeGroups(String tag, String value);

  /** Ends instances. Ending what has ended is no fault. */
  void terminate(Collection<String> ids);

  /** Sets tags on several instances. */
  void tag(Collection<String> ids, Map<String, String> tags);

  /** The newest text of the instance's console; empty if there is none yet. */
  String console(String id);

  @Override
  void close();
}
