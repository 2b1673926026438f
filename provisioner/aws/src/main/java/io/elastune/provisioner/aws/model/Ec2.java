package io.elastune.provisioner.aws.model;

import io.elastune.provisioner.CloudException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The EC2 calls that Elastune uses, in one region. Each method blocks until EC2 responds and is
 * thread-safe.
 *
 * @implSpec every method throws {@link CloudException} with the failure
 */
public interface Ec2 extends AutoCloseable {
  /**
   * Launches one instance, at most once for each token. The call is never retried automatically:
   * after {@link io.elastune.provisioner.CloudFailure.UnknownOutcome} the caller must resolve the
   * outcome.
   */
  Ec2Instance launch(LaunchRequest order);

  /** Checks in a dry run whether {@link #launch} is permitted; launches nothing. */
  void dryRunLaunch(LaunchRequest order);

  /**
   * Checks in a dry run whether a call is permitted; changes nothing.
   *
   * @param instance the instance of the call; ignored for a placement group
   */
  void dryRun(DryRun call, String instance);

  /** Calls of a run other than the launch, with the permission that each needs. */
  enum DryRun {
    TERMINATE("ec2:TerminateInstances"),
    RENEW("ec2:CreateTags"),
    CONSOLE("ec2:GetConsoleOutput"),
    CREATE_GROUP("ec2:CreatePlacementGroup"),
    DELETE_GROUP("ec2:DeletePlacementGroup");

    private final String permission;

    DryRun(String permission) {
      this.permission = permission;
    }

    /** Returns the permission, e.g. {@code ec2:TerminateInstances}. */
    public String permission() {
      return permission;
    }
  }

  /**
   * Returns the instances with one of these values of a tag, in any state, from all pages. The list
   * is eventually consistent: it may lack new instances and contain old ones.
   */
  List<Ec2Instance> listByTag(String tag, Collection<String> values);

  /** Returns all instances that have the tag, with any value. */
  List<Ec2Instance> listByTag(String tag);

  /**
   * Returns instances by their ids; eventually consistent.
   *
   * @throws CloudException with {@code Invalid} if one of the ids is unknown to EC2
   */
  List<Ec2Instance> listByIds(Collection<String> ids);

  /** Returns the spot instances among these that EC2 will interrupt within two minutes. */
  Set<String> interruptionNotices(Collection<String> ids);

  /** Returns the spot price of a type in a zone at a time, in USD per hour; empty if unknown. */
  OptionalDouble spotUsdPerHour(String type, String zone, Instant at);

  /** Creates a cluster placement group if it does not exist. */
  void createGroup(String name, Map<String, String> tags);

  /** Deletes the placement groups with that tag, except those that still contain an instance. */
  void deleteGroups(String tag, String value);

  /** Terminates instances; terminated instances are not an error. */
  void terminate(Collection<String> ids);

  /** Sets tags on several instances. */
  void tag(Collection<String> ids, Map<String, String> tags);

  /**
   * Returns when the login ends with which calls are made; empty if the SDK renews it, or if that
   * is not known. Calls no service of AWS except that of the login.
   */
  Optional<Instant> loginExpires(Instant now);

  /** Returns the latest console output of the instance; empty if there is none yet. */
  String console(String id);

  @Override
  void close();
}
