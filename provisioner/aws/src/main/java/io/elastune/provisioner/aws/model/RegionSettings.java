package io.elastune.provisioner.aws.model;

import io.elastune.core.Preconditions;
import io.elastune.provisioner.remote.NodeCharges;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The launch settings of one region.
 *
 * @param images the machine images; if empty, the launch template defines the image
 * @param launchTemplate defines all settings that are not given here
 * @param subnets subnets by zone, in the order in which zones are tried; if empty, EC2 chooses
 * @param securityGroups if empty, the launch template or the default group applies
 * @param publicAddress whether nodes have a public IP address
 * @param disk the root disk; if empty, the launch template defines it
 * @param reservations the reserved capacity to launch into
 * @param instanceProfile the permissions of the node in the account
 * @param key the name of the SSH key pair
 * @param bucket the bucket for checkpoints
 * @param maxLifetime the time after which a node shuts down regardless of its tags
 */
public record RegionSettings(
    Images images,
    Optional<String> launchTemplate,
    Map<String, String> subnets,
    List<String> securityGroups,
    boolean publicAddress,
    Optional<Disk> disk,
    Reservations reservations,
    Optional<String> instanceProfile,
    Optional<String> key,
    Optional<String> bucket,
    Duration maxLifetime) {
  public RegionSettings {
    subnets = Collections.unmodifiableMap(new LinkedHashMap<>(subnets));
    securityGroups = List.copyOf(securityGroups);
    Preconditions.that(
        !images.isEmpty() || launchTemplate.isPresent(), "image or launch_template must be given");
    Preconditions.that(
        !maxLifetime.isNegative() && !maxLifetime.isZero(), "max_lifetime must be above 0");
  }

  /** Creates settings without a public address, a disk or reserved capacity. */
  public RegionSettings(
      Images images,
      Optional<String> launchTemplate,
      Map<String, String> subnets,
      List<String> securityGroups,
      Optional<String> instanceProfile,
      Optional<String> key,
      Optional<String> bucket,
      Duration maxLifetime) {
    this(
        images,
        launchTemplate,
        subnets,
        securityGroups,
        false,
        Optional.empty(),
        Reservations.NONE,
        instanceProfile,
        key,
        bucket,
        maxLifetime);
  }

  /** Returns whether the launch template defines the network interfaces, such as those of EFA. */
  public boolean hasTemplateNetwork() {
    return launchTemplate.isPresent()
        && subnets.isEmpty()
        && securityGroups.isEmpty()
        && !publicAddress;
  }

  /**
   * Returns the disk and address of a node. Where only the launch template defines them, it is the
   * default disk and a public address.
   */
  public NodeCharges charges() {
    return new NodeCharges(
        disk.map(Disk::gb).orElse(NodeCharges.DEFAULT_DISK_GB),
        publicAddress || hasTemplateNetwork());
  }

  /** Returns the zones to try, in order; a single empty one if EC2 chooses. */
  public List<Optional<String>> zones() {
    return subnets.isEmpty()
        ? List.of(Optional.empty())
        : subnets.keySet().stream().map(Optional::of).toList();
  }
}
