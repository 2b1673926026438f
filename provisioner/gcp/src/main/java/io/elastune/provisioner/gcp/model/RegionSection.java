package io.elastune.provisioner.gcp.model;

import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Lists;
import io.elastune.core.files.schema.Numbers;
import io.elastune.core.files.schema.Quantities;
import io.elastune.core.files.schema.Scalars;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.files.schema.Values;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The schema of one region in the Google Cloud section of {@code clouds.yaml}. */
final class RegionSection {
  private static final Duration ONE_DAY = Duration.ofDays(1);
  private static final Duration SHORTEST = Duration.ofMinutes(10);
  private static final Duration LONGEST = Duration.ofDays(120);
  private static final int SMALLEST_DISK = 10;
  private static final int DEFAULT_DISK = 100;
  private static final int LARGEST_DISK = 65536;
  private static final Pattern PATH = Pattern.compile("[a-z0-9.:_-]+(/[A-Za-z0-9.:_-]+)*");
  private static final Pattern ZONE = Pattern.compile("[a-z]+(-[a-z]+)+[0-9]+-[a-z]");
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
  private static final Pattern ACCOUNT = Pattern.compile("[^@\\s]+@[^@\\s]+");

  private static final Field<RegionSettings, String> IMAGE =
      Field.required(
          "image",
          Texts.matching("image, e.g. projects/PROJECT/global/images/family/FAMILY", PATH),
          RegionSettings::image,
          "The boot disk image of all nodes: Linux with systemd, curl and the GPU driver.",
          "projects/my-project/global/images/family/gpu-nodes");
  private static final Field<RegionSettings, List<String>> ZONES =
      Field.withDefault(
          "zones",
          Lists.ofDistinct(Texts.matching("zone such as us-central1-a", ZONE)),
          List.of(),
          RegionSettings::zones,
          "Zones, in the order in which they are tried. If none are given, all zones of the region.",
          "[us-central1-a, us-central1-b]");
  private static final Field<RegionSettings, String> SUBNETWORK =
      Field.optional(
          "subnetwork",
          Texts.matching("name of a subnetwork", PATH),
          "that of the network 'default'",
          RegionSettings::subnetwork,
          "The subnetwork of all nodes, by name or full path.",
          "elastune");
  private static final Field<RegionSettings, List<String>> TAGS =
      Field.withDefault(
          "network_tags",
          Lists.of(Texts.matching("network tag", NAME)),
          List.of(),
          RegionSettings::networkTags,
          "Network tags of all nodes, to which firewall rules refer.",
          "[elastune]");
  private static final Field<RegionSettings, String> SERVICE_ACCOUNT =
      Field.optional(
          "service_account",
          Texts.matching("email address of a service account", ACCOUNT),
          "none: nodes have no permissions in the project",
          RegionSettings::serviceAccount,
          "The service account with the permissions of nodes.",
          "elastune-node@my-project.iam.gserviceaccount.com");
  private static final Field<RegionSettings, Integer> DISK_GB =
      Field.withDefault(
          "disk_gb",
          Numbers.whole(SMALLEST_DISK, LARGEST_DISK),
          DEFAULT_DISK,
          RegionSettings::diskGb,
          "The size of the boot disk in GB. The disk is deleted with its node.",
          "100");
  private static final Field<RegionSettings, String> DISK_TYPE =
      Field.optional(
          "disk_type",
          Texts.matching("type of disk", NAME),
          "the default of the machine type",
          RegionSettings::diskType,
          "The type of the boot disk.",
          "pd-balanced");
  private static final Field<RegionSettings, Boolean> PUBLIC =
      Field.withDefault(
          "public_address",
          Scalars.trueOrFalse(),
          false,
          RegionSettings::publicAddress,
          "Whether nodes have a public IP address. Without one they need Cloud NAT to reach the internet.",
          "false");
  private static final Field<RegionSettings, Boolean> SECURE_BOOT =
      Field.withDefault(
          "secure_boot",
          Scalars.trueOrFalse(),
          false,
          RegionSettings::secureBoot,
          "Whether nodes boot only signed software. The GPU driver must then be signed, too.",
          "false");
  private static final Field<RegionSettings, Duration> LIFETIME =
      Field.withDefault(
          "max_lifetime",
          Quantities.duration(SHORTEST),
          ONE_DAY,
          RegionSettings::maxLifetime,
          "Google deletes a node after this time in any case. At most 120 days.",
          "24h");

  static final Section<RegionSettings> SECTION =
      Section.<RegionSettings>of(
              "gcp.regions.REGION",
              "Launch settings of one region.",
              List.of(
                  IMAGE,
                  ZONES,
                  SUBNETWORK,
                  TAGS,
                  SERVICE_ACCOUNT,
                  DISK_GB,
                  DISK_TYPE,
                  PUBLIC,
                  SECURE_BOOT,
                  LIFETIME),
              RegionSection::build)
          .checking(RegionSection::check);

  private RegionSection() {}

  private static void check(Values values) {
    values
        .find(LIFETIME)
        .filter(some -> some.compareTo(LONGEST) > 0)
        .ifPresent(
            some ->
                values.problem(LIFETIME, "must be at most 120d, the limit of Google Cloud", ""));
  }

  private static RegionSettings build(Values values) {
    return new RegionSettings(
        values.get(IMAGE),
        values.get(ZONES),
        values.find(SUBNETWORK),
        values.get(TAGS),
        values.find(SERVICE_ACCOUNT),
        values.get(DISK_GB),
        values.find(DISK_TYPE),
        values.get(PUBLIC),
        values.get(SECURE_BOOT),
        values.get(LIFETIME));
  }
}
