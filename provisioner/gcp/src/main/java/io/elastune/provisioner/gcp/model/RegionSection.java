package io.elastune.provisioner.gcp.model;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.ScalarCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.provisioner.remote.NodeCharges;
import io.elastune.provisioner.remote.RegionFields;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The schema of one region in the Google Cloud section of {@code clouds.yaml}. */
final class RegionSection {
  private static final Duration LONGEST = Duration.ofDays(120);
  private static final int SMALLEST_DISK = 10;
  private static final int LARGEST_DISK = 65536;
  private static final Pattern PATH = Pattern.compile("[a-z0-9.:_-]+(/[A-Za-z0-9.:_-]+)*");
  private static final Pattern ZONE = Pattern.compile("[a-z]+(-[a-z]+)+[0-9]+-[a-z]");
  private static final Duration LONGEST_FLEX = Duration.ofDays(7);

  /** Metadata items, except those that Elastune sets. */
  private static final Pattern ITEM =
      Pattern.compile("(?!elastune-|startup-script|enable-guest-attributes$)[A-Za-z0-9_-]{1,128}");

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
  private static final Pattern ACCOUNT = Pattern.compile("[^@\\s]+@[^@\\s]+");

  private static final Field<RegionSettings, String> IMAGE =
      Field.required(
          "image",
          StringCodecs.matching("image, e.g. projects/PROJECT/global/images/family/FAMILY", PATH),
          RegionSettings::image,
          "The boot disk image of all nodes: Linux with systemd, curl and the GPU driver.",
          "projects/my-project/global/images/family/gpu-nodes");
  private static final Field<RegionSettings, List<String>> ZONES =
      Field.withDefault(
          "zones",
          ListCodecs.distinct(StringCodecs.matching("zone such as us-central1-a", ZONE)),
          List.of(),
          RegionSettings::zones,
          "Zones, in the order in which they are tried. If none are given, all zones of the"
              + " region.",
          "[us-central1-a, us-central1-b]");
  private static final Field<RegionSettings, String> SUBNETWORK =
      Field.optional(
          "subnetwork",
          StringCodecs.matching("name of a subnetwork", PATH),
          "that of the network 'default'",
          RegionSettings::subnetwork,
          "The subnetwork of all nodes, by name or full path.",
          "elastune");
  private static final Field<RegionSettings, List<String>> TAGS =
      Field.withDefault(
          "network_tags",
          ListCodecs.of(StringCodecs.matching("network tag", NAME)),
          List.of(),
          RegionSettings::networkTags,
          "Network tags of all nodes, to which firewall rules refer.",
          "[elastune]");
  private static final Field<RegionSettings, String> SERVICE_ACCOUNT =
      Field.optional(
          "service_account",
          StringCodecs.matching("email address of a service account", ACCOUNT),
          "none: nodes have no permissions in the project",
          RegionSettings::serviceAccount,
          "The service account with the permissions of nodes.",
          "elastune-node@my-project.iam.gserviceaccount.com");
  private static final Field<RegionSettings, Integer> DISK_GB =
      Field.withDefault(
          "disk_gb",
          NumberCodecs.wholeNumber(SMALLEST_DISK, LARGEST_DISK),
          NodeCharges.DEFAULT_DISK_GB,
          RegionSettings::diskGb,
          "The size of the boot disk in GB. The disk is deleted with its node.",
          "100");
  private static final Field<RegionSettings, String> DISK_TYPE =
      Field.optional(
          "disk_type",
          StringCodecs.matching("type of disk", NAME),
          "pd-balanced, or hyperdisk-balanced for types that only take Hyperdisk",
          RegionSettings::diskType,
          "The type of the boot disk.",
          "pd-balanced");
  private static final Field<RegionSettings, Boolean> PUBLIC =
      RegionFields.publicAddress(RegionSettings::publicAddress, "Cloud NAT");
  private static final Field<RegionSettings, Boolean> SECURE_BOOT =
      Field.withDefault(
          "secure_boot",
          ScalarCodecs.trueOrFalse(),
          false,
          RegionSettings::secureBoot,
          "Whether nodes boot only signed software. The GPU driver must then be signed, too.",
          "false");
  private static final Field<RegionSettings, Duration> LIFETIME =
      RegionFields.maxLifetime(
          RegionSettings::maxLifetime,
          "Google deletes a node that has run for this time. At most 120 days.");

  private static final Field<RegionSettings, Map<String, String>> METADATA =
      Field.withDefault(
          "metadata",
          MapCodecs.of(
              ITEM, "a metadata item that Elastune does not set", StringCodecs.textOrEmpty()),
          Map.of(),
          settings -> settings.launch().metadata(),
          "Further metadata of nodes. Deep Learning VM images get install-nvidia-driver by"
              + " default.",
          "{install-nvidia-driver: 'True'}");
  private static final Field<RegionSettings, Map<String, String>> RESERVATIONS =
      Field.withDefault(
          "reservations",
          MapCodecs.of(NAME, "a machine type", StringCodecs.matching("reservation", PATH)),
          Map.of(),
          settings -> settings.launch().reservations(),
          "The reservation for each machine type, for launches on demand.",
          "{a3-ultragpu-8g: my-reservation}");
  private static final Field<RegionSettings, List<String>> FLEX_START =
      Field.withDefault(
          "flex_start",
          ListCodecs.distinct(StringCodecs.matching("machine type", NAME)),
          List.of(),
          settings -> settings.launch().flexStart().stream().sorted().toList(),
          "Machine types that are requested with flex-start instead of on demand, for at most 7"
              + " days.",
          "[a3-highgpu-8g]");

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
                  LIFETIME,
                  METADATA,
                  RESERVATIONS,
                  FLEX_START),
              RegionSection::build)
          .withValidation(RegionSection::check);

  private RegionSection() {}

  private static void check(FieldValues fieldValues) {
    fieldValues
        .find(LIFETIME)
        .filter(some -> some.compareTo(LONGEST) > 0)
        .ifPresent(
            some ->
                fieldValues.problem(
                    LIFETIME, "must be at most 120d, the limit of Google Cloud", ""));
    boolean tooLong =
        fieldValues.find(LIFETIME).filter(some -> some.compareTo(LONGEST_FLEX) > 0).isPresent();
    if (tooLong && fieldValues.isGiven(FLEX_START)) {
      fieldValues.problem(LIFETIME, "must be at most 7d with flex_start", "");
    }
    boolean defaultNetwork =
        fieldValues.find(SUBNETWORK).map(name -> name.equals("default")).orElse(true);
    if (defaultNetwork && fieldValues.find(PUBLIC).orElse(false)) {
      fieldValues.problem(
          PUBLIC,
          "needs a subnetwork other than that of the network 'default', whose firewall opens port"
              + " 22 to the internet",
          "see docs/gcp.md");
    }
  }

  private static RegionSettings build(FieldValues fieldValues) {
    return new RegionSettings(
        fieldValues.get(IMAGE),
        fieldValues.get(ZONES),
        fieldValues.find(SUBNETWORK),
        fieldValues.get(TAGS),
        fieldValues.find(SERVICE_ACCOUNT),
        fieldValues.get(DISK_GB),
        fieldValues.find(DISK_TYPE),
        fieldValues.get(PUBLIC),
        fieldValues.get(SECURE_BOOT),
        fieldValues.get(LIFETIME),
        new LaunchOptions(
            fieldValues.get(METADATA),
            fieldValues.get(RESERVATIONS),
            Set.copyOf(fieldValues.get(FLEX_START))));
  }
}
