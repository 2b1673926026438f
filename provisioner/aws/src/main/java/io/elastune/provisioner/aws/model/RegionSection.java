package io.elastune.provisioner.aws.model;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.provisioner.remote.NodeCharges;
import io.elastune.provisioner.remote.RegionFields;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the section of one region in {@code clouds.yaml}. */
final class RegionSection {
  private static final Pattern ZONE = Pattern.compile("[a-z]{2}(-[a-z]+)+-[0-9][a-z0-9-]*");

  private static final Pattern TYPE = Pattern.compile("[a-z0-9-]+[.][a-z0-9-]+");
  private static final int LARGEST_DISK = 16384;

  private static final Field<RegionSettings, Images> IMAGE =
      Field.withDefault(
          "image",
          new ImagesCodec(),
          Images.NONE,
          RegionSettings::images,
          "The machine image of all nodes: Linux with systemd, cloud-init, curl and the GPU"
              + " driver.",
          "ami-0123456789abcdef0");
  private static final Field<RegionSettings, String> TEMPLATE =
      Field.optional(
          "launch_template",
          id("lt"),
          "none",
          RegionSettings::launchTemplate,
          "A launch template for all settings that are not given here.",
          "lt-0123456789abcdef0");
  private static final Field<RegionSettings, Map<String, String>> SUBNETS =
      Field.withDefault(
          "subnets",
          MapCodecs.of(ZONE, "a zone such as us-east-1a", id("subnet")),
          Map.of(),
          RegionSettings::subnets,
          "A subnet for each zone, in the order in which zones are tried; without any, EC2"
              + " chooses.",
          "{us-east-1a: subnet-0123456789abcdef0}");
  private static final Field<RegionSettings, List<String>> GROUPS =
      Field.withDefault(
          "security_groups",
          ListCodecs.of(id("sg")),
          List.of(),
          RegionSettings::securityGroups,
          "Security groups of all nodes.",
          "[sg-0123456789abcdef0]");
  private static final Field<RegionSettings, Boolean> PUBLIC =
      RegionFields.publicAddress(RegionSettings::publicAddress, "a NAT gateway");
  private static final Field<RegionSettings, Integer> DISK_GB =
      Field.optional(
          "disk_gb",
          NumberCodecs.wholeNumber(1, LARGEST_DISK),
          NodeCharges.DEFAULT_DISK_GB + ", or from the launch template",
          settings -> settings.disk().map(Disk::gb),
          "The size of the root disk in GB: an encrypted gp3 volume that is deleted with its node.",
          "100");
  private static final Field<RegionSettings, String> ROOT_DEVICE =
      Field.withDefault(
          "root_device",
          StringCodecs.matching("name of a device", Pattern.compile("/dev/[a-z0-9/]+")),
          Disk.UBUNTU,
          settings -> settings.disk().map(Disk::device).orElse(Disk.UBUNTU),
          "The name of the root device in the image; /dev/xvda for Amazon Linux.",
          Disk.UBUNTU);
  private static final Field<RegionSettings, Map<String, String>> RESERVATIONS =
      Field.withDefault(
          "capacity_reservations",
          MapCodecs.of(TYPE, "an instance type such as p5.48xlarge", id("cr")),
          Map.of(),
          settings -> settings.reservations().reservations(),
          "The on-demand capacity reservation for each instance type.",
          "{p4d.24xlarge: cr-0123456789abcdef0}");
  private static final Field<RegionSettings, Map<String, String>> BLOCKS =
      Field.withDefault(
          "capacity_blocks",
          MapCodecs.of(TYPE, "an instance type such as p5.48xlarge", id("cr")),
          Map.of(),
          settings -> settings.reservations().blocks(),
          "The capacity block for each instance type.",
          "{p5.48xlarge: cr-0fedcba9876543210}");
  private static final Field<RegionSettings, String> PROFILE =
      Field.optional(
          "instance_profile",
          StringCodecs.matching(
              "name of an instance profile", Pattern.compile("[A-Za-z0-9+=,.@_-]+")),
          "none: nodes have no permissions in the account",
          RegionSettings::instanceProfile,
          "The instance profile with the permissions of nodes.",
          "elastune-node");
  private static final Field<RegionSettings, String> KEY =
      Field.optional(
          "key",
          StringCodecs.text(),
          "none: no SSH login",
          RegionSettings::key,
          "The name of the SSH key pair.",
          "my-key");
  private static final Field<RegionSettings, String> BUCKET =
      Field.optional(
          "bucket",
          StringCodecs.matching(
              "name of a bucket", Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")),
          "none",
          RegionSettings::bucket,
          "The bucket for checkpoints; so far only used by check.",
          "my-checkpoints");
  private static final Field<RegionSettings, Duration> LIFETIME =
      RegionFields.maxLifetime(
          RegionSettings::maxLifetime,
          "A node shuts down after this time, regardless of its tags.");

  static final Section<RegionSettings> SECTION =
      Section.<RegionSettings>of(
              "aws.REGION",
              "Launch settings of one region.",
              List.of(
                  IMAGE,
                  TEMPLATE,
                  SUBNETS,
                  GROUPS,
                  PUBLIC,
                  DISK_GB,
                  ROOT_DEVICE,
                  RESERVATIONS,
                  BLOCKS,
                  PROFILE,
                  KEY,
                  BUCKET,
                  LIFETIME),
              RegionSection::build)
          .withValidation(RegionSection::check);

  private RegionSection() {}

  private static Codec<String> id(String prefix) {
    return StringCodecs.matching(
        "id that begins with " + prefix + "-", Pattern.compile(prefix + "-[0-9a-f]+"));
  }

  private static void check(FieldValues fieldValues) {
    if (!fieldValues.isGiven(IMAGE) && !fieldValues.isGiven(TEMPLATE)) {
      fieldValues.problem(
          "image or launch_template must be given", "see docs/aws.md for how to find one");
    }
  }

  private static RegionSettings build(FieldValues fieldValues) {
    Optional<String> template = fieldValues.find(TEMPLATE);
    Optional<Integer> gb =
        fieldValues
            .find(DISK_GB)
            .or(
                () ->
                    template.isEmpty()
                        ? Optional.of(NodeCharges.DEFAULT_DISK_GB)
                        : Optional.empty());
    return new RegionSettings(
        fieldValues.get(IMAGE),
        template,
        fieldValues.get(SUBNETS),
        fieldValues.get(GROUPS),
        fieldValues.get(PUBLIC),
        gb.map(size -> new Disk(size, fieldValues.get(ROOT_DEVICE))),
        new Reservations(fieldValues.get(RESERVATIONS), fieldValues.get(BLOCKS)),
        fieldValues.find(PROFILE),
        fieldValues.find(KEY),
        fieldValues.find(BUCKET),
        fieldValues.get(LIFETIME));
  }
}
