package io.elastune.provisioner.aws.model;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.provisioner.remote.NodeCharges;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The launch settings of one region.
 *
 * @param images the machine images; if empty, the launch template defines the image
 * @param launchTemplate defines all settings that are not given here
 * @param subnets subnets by zone, in the order in which zones are tried; if empty, EC2 chooses
 * @param securityGroups if empty, the launch template or the default group applies
 * @param publicAddress whether nodes have a public IP address
 * @param diskGb the size of the root disk in GB; if empty, that of the launch template, or the
 *     default without one
 * @param rootDevice the name of the root device in the image
 * @param reservations the reserved capacity to launch into
 * @param instanceProfile the permissions of the node in the account
 * @param key the name of the SSH key pair
 * @param bucket the bucket from which nodes get the node runtime
 * @param newRegion whether the name of the region may be unknown
 * @param maxLifetime the time after which a node shuts down regardless of its tags
 */
@RecordBuilder
@FileSection(title = "aws.REGION", doc = "Launch settings of one region.")
public record RegionSettings(
    @FileField(
            name = "image",
            doc =
                "The machine image of all nodes: Linux with systemd, cloud-init, curl and the GPU"
                    + " driver.",
            example = "ami-0123456789abcdef0")
        Images images,
    @FileField(
            doc = "A launch template for all settings that are not given here.",
            without = "none",
            example = "lt-0123456789abcdef0")
        Optional<String> launchTemplate,
    @FileField(
            doc =
                "A subnet for each zone, in the order in which zones are tried; without any, EC2"
                    + " chooses.",
            absent = "{}",
            example = "{us-east-1a: subnet-0123456789abcdef0}")
        Map<String, String> subnets,
    @FileField(
            doc = "Security groups of all nodes.",
            absent = "[]",
            example = "[sg-0123456789abcdef0]")
        List<String> securityGroups,
    @FileField(
            doc =
                "Whether nodes have a public IP address. Without one they need a NAT gateway to"
                    + " reach the internet.",
            absent = "false",
            example = "false")
        boolean publicAddress,
    @FileField(
            doc =
                "The size of the root disk in GB: an encrypted gp3 volume that is deleted with its"
                    + " node.",
            without = NodeCharges.DEFAULT_DISK_GB + ", or from the launch template",
            example = "100")
        @Bounds(least = 1, most = 16384)
        OptionalInt diskGb,
    @FileField(
            doc = "The name of the root device in the image; /dev/xvda for Amazon Linux.",
            absent = Disk.UBUNTU,
            example = Disk.UBUNTU)
        String rootDevice,
    Reservations reservations,
    @FileField(
            doc = "The instance profile with the permissions of nodes.",
            without = "none: nodes have no permissions in the account",
            example = "elastune-node")
        Optional<String> instanceProfile,
    @FileField(
            doc = "The name of the SSH key pair.",
            without = "none: no SSH login",
            example = "my-key")
        Optional<String> key,
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
            doc = "A node shuts down after this time, regardless of its tags.",
            absent = "24h",
            example = "24h")
        @Bounds(least = 600)
        Duration maxLifetime) {
  public RegionSettings {
    subnets = Collections.unmodifiableMap(new LinkedHashMap<>(subnets));
    securityGroups = List.copyOf(securityGroups);
    diskGb.ifPresent(gb -> Preconditions.atLeast("disk_gb", 1, gb));
    Preconditions.text("root_device", rootDevice);
    Preconditions.that(
        !images.isEmpty() || launchTemplate.isPresent(), "image or launch_template must be given");
    Preconditions.that(
        !maxLifetime.isNegative() && !maxLifetime.isZero(), "max_lifetime must be above 0");
  }

  /** Returns whether the launch template defines the network interfaces, such as those of EFA. */
  public boolean hasTemplateNetwork() {
    return launchTemplate.isPresent()
        && subnets.isEmpty()
        && securityGroups.isEmpty()
        && !publicAddress;
  }

  /** Returns the root disk; empty if the launch template defines it. */
  public Optional<Disk> disk() {
    return diskGb.isEmpty() && launchTemplate.isPresent()
        ? Optional.empty()
        : Optional.of(new Disk(diskGb.orElse(NodeCharges.DEFAULT_DISK_GB), rootDevice));
  }

  /**
   * Returns the disk and address of a node. Where only the launch template defines them, it is the
   * default disk and a public address.
   */
  public NodeCharges charges() {
    return new NodeCharges(
        diskGb.orElse(NodeCharges.DEFAULT_DISK_GB), publicAddress || hasTemplateNetwork());
  }

  /** Returns the zones to try, in order; a single empty one if EC2 chooses. */
  public List<Optional<String>> zones() {
    return subnets.isEmpty()
        ? List.of(Optional.empty())
        : subnets.keySet().stream().map(Optional::of).toList();
  }
}
