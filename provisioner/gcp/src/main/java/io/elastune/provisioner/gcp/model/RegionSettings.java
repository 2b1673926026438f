package io.elastune.provisioner.gcp.model;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.provisioner.remote.NodeCharges;
import io.soabase.recordbuilder.core.RecordBuilder;
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
 * @param bucket the bucket from which nodes get the node runtime
 * @param newRegion whether the name of the region may be unknown
 * @param maxLifetime the time after which Google deletes a running node
 * @param launch what some images and machine types need
 */
@RecordBuilder
@FileSection(title = "gcp.regions.REGION", doc = "Launch settings of one region.")
public record RegionSettings(
    @FileField(
            doc = "The boot disk image of all nodes: Linux with systemd, curl and the GPU driver.",
            example = "projects/my-project/global/images/family/gpu-nodes")
        String image,
    @FileField(
            doc =
                "Zones, in the order in which they are tried. If none are given, all zones of the"
                    + " region.",
            example = "[us-central1-a, us-central1-b]")
        List<String> zones,
    @FileField(
            doc = "The subnetwork of all nodes, by name or full path.",
            without = "that of the network 'default'",
            example = "elastune")
        Optional<String> subnetwork,
    @FileField(
            doc = "Network tags of all nodes, to which firewall rules refer.",
            absent = "[]",
            example = "[elastune]")
        List<String> networkTags,
    @FileField(
            doc = "The service account with the permissions of nodes.",
            without = "none: nodes have no permissions in the project",
            example = "elastune-node@my-project.iam.gserviceaccount.com")
        Optional<String> serviceAccount,
    @FileField(
            doc = "The size of the boot disk in GB. The disk is deleted with its node.",
            absent = "" + NodeCharges.DEFAULT_DISK_GB,
            example = "100")
        @Bounds(least = RegionSettings.SMALLEST_DISK_GB, most = 65536)
        int diskGb,
    @FileField(
            doc = "The type of the boot disk.",
            without = "pd-balanced, or hyperdisk-balanced for types that only take Hyperdisk",
            example = "pd-balanced")
        Optional<String> diskType,
    @FileField(
            doc =
                "Whether nodes have a public IP address. Without one they need Cloud NAT to reach"
                    + " the internet.",
            absent = "false",
            example = "false")
        boolean publicAddress,
    @FileField(
            doc =
                "Whether nodes boot only signed software. The GPU driver must then be signed, too.",
            absent = "false",
            example = "false")
        boolean secureBoot,
    @FileField(
            doc = "The bucket from which nodes get the node runtime, such as that of checkpoints.",
            without = "none: the controller sends it",
            example = "my-checkpoints")
        Optional<String> bucket,
    @FileField(
            doc = "Whether the region is too new for the list of this version of Elastune.",
            absent = "false",
            example = "false")
        boolean newRegion,
    @FileField(
            doc = "Google deletes a node that has run for this time. At most 120 days.",
            absent = "24h",
            example = "24h")
        @Bounds(least = 600)
        Duration maxLifetime,
    LaunchOptions launch) {
  static final int SMALLEST_DISK_GB = 10;

  public RegionSettings {
    Preconditions.text("image", image);
    zones = List.copyOf(zones);
    networkTags = List.copyOf(networkTags);
    Preconditions.atLeast("disk_gb", SMALLEST_DISK_GB, diskGb);
    Preconditions.that(
        !maxLifetime.isNegative() && !maxLifetime.isZero(), "max_lifetime must be above 0");
  }

  /** Returns the disk and address of a node. */
  public NodeCharges charges() {
    return new NodeCharges(diskGb, publicAddress);
  }
}
