package io.elastune.provisioner.gcp.account;

import io.elastune.core.Check;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How instances are made in one region.
 *
 * @param image the boot disk's image or family of images
 * @param zones in the order in which they are tried; empty for all of the region
 * @param subnetwork empty for that of the network {@code default}
 * @param networkTags by which firewall rules know the nodes
 * @param serviceAccount what nodes themselves may do; empty for nothing
 * @param diskGb the boot disk's size
 * @param diskType the boot disk's type; empty for what the machine type usually has
 * @param publicAddress whether nodes can be reached from the internet
 * @param secureBoot whether nodes boot nothing that is not signed
 * @param maxLifetime after which Google deletes a node whatever else happens
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
    Duration maxLifetime) {
  public RegionSettings {
    Check.text("image", image);
    zones = List.copyOf(zones);
    networkTags = List.copyOf(networkTags);
    Check.atLeast("disk_gb", 10, diskGb);
    Check.that(!maxLifetime.isNegative() && !maxLifetime.isZero(), "max_lifetime must be above 0");
  }
}
