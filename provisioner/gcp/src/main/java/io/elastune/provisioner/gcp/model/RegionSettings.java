package io.elastune.provisioner.gcp.model;

import io.elastune.core.Preconditions;
import io.elastune.provisioner.remote.NodeCharges;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The launch settings of one region.
 *
 * @param image the image or image family of the boot disk
 * @param zones the zones to try, in this order; empty for all zones of the region
 * @param subnetwork the subnetwork; empty for that of the network {@code default}
 * @param networkTags the tags to which firewall rules refer
 * @param serviceAccount the service account of the nodes; empty for none
 * @param diskGb the size of the boot disk in GB
 * @param diskType the type of the boot disk; empty for a balanced disk
 * @param publicAddress whether nodes have a public IP address
 * @param secureBoot whether nodes boot only signed software
 * @param maxLifetime the time after which Google deletes a running node
 * @param launch what some images and machine types need
 */
public record RegionSettings(
    String image,
    List<String> zones,
    Optional<String> subnetwork,
    List<String> networkTags,
    Optional<String> serviceAccount,
    int diskGb,
    Optional<String> diskType,
    boolean publicAddress,
    boolean secureBoot,
    Duration maxLifetime,
    LaunchOptions launch) {
  public RegionSettings {
    Preconditions.text("image", image);
    zones = List.copyOf(zones);
    networkTags = List.copyOf(networkTags);
    Preconditions.atLeast("disk_gb", 10, diskGb);
    Preconditions.that(
        !maxLifetime.isNegative() && !maxLifetime.isZero(), "max_lifetime must be above 0");
  }

  /** Returns the disk and address of a node. */
  public NodeCharges charges() {
    return new NodeCharges(diskGb, publicAddress);
  }

  /** Creates settings without launch options. */
  public RegionSettings(
      String image,
      List<String> zones,
      Optional<String> subnetwork,
      List<String> networkTags,
      Optional<String> serviceAccount,
      int diskGb,
      Optional<String> diskType,
      boolean publicAddress,
      boolean secureBoot,
      Duration maxLifetime) {
    this(
        image,
        zones,
        subnetwork,
        networkTags,
        serviceAccount,
        diskGb,
        diskType,
        publicAddress,
        secureBoot,
        maxLifetime,
        LaunchOptions.NONE);
  }
}
