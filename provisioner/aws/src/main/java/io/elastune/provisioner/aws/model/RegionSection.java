package io.elastune.provisioner.aws.model;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the section of one region in {@code clouds.yaml}. */
final class RegionSection {
  private static final Duration ONE_DAY = Duration.ofDays(1);
  private static final Duration SHORTEST = Duration.ofMinutes(10);
  private static final Pattern ZONE = Pattern.compile("[a-z]{2}(-[a-z]+)+-[0-9][a-z0-9-]*");

  private static final Field<RegionSettings, String> IMAGE =
      Field.optional(
          "image",
          id("ami"),
          "from the launch template",
          RegionSettings::image,
          "The machine image of all nodes: Linux with systemd, curl and the GPU driver.",
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
          "A subnet for each zone, in the order in which zones are tried; without any, EC2 chooses.",
          "{us-east-1a: subnet-0123456789abcdef0}");
  private static final Field<RegionSettings, List<String>> GROUPS =
      Field.withDefault(
          "security_groups",
          ListCodecs.of(id("sg")),
          List.of(),
          RegionSettings::securityGroups,
          "Security groups of all nodes.",
          "[sg-0123456789abcdef0]");
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
      Field.withDefault(
          "max_lifetime",
          QuantityCodecs.duration(SHORTEST),
          ONE_DAY,
          RegionSettings::maxLifetime,
          "A node shuts down after this time, regardless of its tags.",
          "24h");

  static final Section<RegionSettings> SECTION =
      Section.<RegionSettings>of(
              "aws.REGION",
              "Launch settings of one region.",
              List.of(IMAGE, TEMPLATE, SUBNETS, GROUPS, PROFILE, KEY, BUCKET, LIFETIME),
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
    Optional<String> image = fieldValues.find(IMAGE);
    return new RegionSettings(
        image,
        fieldValues.find(TEMPLATE),
        fieldValues.get(SUBNETS),
        fieldValues.get(GROUPS),
        fieldValues.find(PROFILE),
        fieldValues.find(KEY),
        fieldValues.find(BUCKET),
        fieldValues.get(LIFETIME));
  }
}
