package io.elastune.provisioner.aws.model;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses the section of one region in {@code clouds.yaml}. */
final class RegionSection {
  private static final Pattern ZONE = Pattern.compile("[a-z]{2}(-[a-z]+)+-[0-9][a-z0-9-]*");
  private static final Pattern TYPE = Pattern.compile("[a-z0-9-]+[.][a-z0-9-]+");

  private static final Codec<Map<String, String>> CAPACITY =
      MapCodecs.of(TYPE, "an instance type such as p5.48xlarge", id("cr"));

  private static final RecordSection<RegionSettings> DEFINITION =
      RecordSection.define(RegionSettings.class)
          .codec("images", new ImagesCodec())
          .absent("images", Images.NONE)
          .codec("launchTemplate", id("lt"))
          .codec("subnets", MapCodecs.of(ZONE, "a zone such as us-east-1a", id("subnet")))
          .codec("securityGroups", ListCodecs.of(id("sg")))
          .codec("rootDevice", matching("name of a device", "/dev/[a-z0-9/]+"))
          .inlined(
              "reservations",
              RecordSection.define(Reservations.class)
                  .codec("reservations", CAPACITY)
                  .codec("blocks", CAPACITY)
                  .section())
          .codec("instanceProfile", matching("name of an instance profile", "[A-Za-z0-9+=,.@_-]+"))
          .codec("bucket", matching("name of a bucket", "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]"));

  static final Section<RegionSettings> SECTION = DEFINITION.section(RegionSection::check);

  private RegionSection() {}

  private static Codec<String> id(String prefix) {
    return matching("id that begins with " + prefix + "-", prefix + "-[0-9a-f]+");
  }

  private static Codec<String> matching(String what, String pattern) {
    return StringCodecs.matching(what, Pattern.compile(pattern));
  }

  private static void check(FieldValues fieldValues) {
    if (!fieldValues.isGiven(DEFINITION.field("images"))
        && !fieldValues.isGiven(DEFINITION.field("launchTemplate"))) {
      fieldValues.problem(
          "image or launch_template must be given", "see docs/aws.md for how to find one");
    }
  }
}
