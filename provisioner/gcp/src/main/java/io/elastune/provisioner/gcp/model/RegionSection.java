package io.elastune.provisioner.gcp.model;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.MappedCodec;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Parses the section of one region in {@code clouds.yaml}. */
final class RegionSection {
  private static final Duration LONGEST = Duration.ofDays(120);
  private static final Duration LONGEST_FLEX = Duration.ofDays(7);
  private static final String PATH = "[a-z0-9.:_-]+(/[A-Za-z0-9.:_-]+)*";
  private static final String ZONE = "[a-z]+(-[a-z]+)+[0-9]+-[a-z]";
  private static final String NAME = "[a-z][a-z0-9-]*";

  /** Metadata items, except those that Elastune sets. */
  private static final Pattern ITEM =
      Pattern.compile("(?!elastune-|startup-script|enable-guest-attributes$)[A-Za-z0-9_-]{1,128}");

  private static final RecordSection<LaunchOptions> LAUNCH =
      RecordSection.define(LaunchOptions.class)
          .codec(
              "metadata",
              MapCodecs.of(
                  ITEM, "a metadata item that Elastune does not set", StringCodecs.textOrEmpty()))
          .codec(
              "reservations",
              MapCodecs.of(Pattern.compile(NAME), "a machine type", matching("reservation", PATH)))
          .codec(
              "flexStart",
              new MappedCodec<>(
                  ListCodecs.distinct(matching("machine type", NAME)),
                  Set::copyOf,
                  types -> types.stream().sorted().toList()))
          .absent("flexStart", Set.of());

  private static final RecordSection<RegionSettings> DEFINITION =
      RecordSection.define(RegionSettings.class)
          .codec(
              "image", matching("image, e.g. projects/PROJECT/global/images/family/FAMILY", PATH))
          .codec("zones", ListCodecs.distinct(matching("zone such as us-central1-a", ZONE)))
          .absent("zones", List.of())
          .codec("subnetwork", matching("name of a subnetwork", PATH))
          .codec("networkTags", ListCodecs.of(matching("network tag", NAME)))
          .codec(
              "serviceAccount", matching("email address of a service account", "[^@\\s]+@[^@\\s]+"))
          .codec("diskType", matching("type of disk", NAME))
          .codec("bucket", matching("name of a bucket", "[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]"))
          .inlined("launch", LAUNCH.section());

  private static final Field<RegionSettings, String> SUBNETWORK = DEFINITION.field("subnetwork");
  private static final Field<RegionSettings, Boolean> PUBLIC = DEFINITION.field("publicAddress");
  private static final Field<RegionSettings, Duration> LIFETIME = DEFINITION.field("maxLifetime");
  private static final Field<LaunchOptions, Set<String>> FLEX_START = LAUNCH.field("flexStart");

  static final Section<RegionSettings> SECTION = DEFINITION.section(RegionSection::check);

  private RegionSection() {}

  private static Codec<String> matching(String what, String pattern) {
    return StringCodecs.matching(what, Pattern.compile(pattern));
  }

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
}
