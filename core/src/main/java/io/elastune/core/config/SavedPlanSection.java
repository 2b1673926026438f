package io.elastune.core.config;

import io.elastune.core.config.SavedPlan.Hashes;
import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import java.util.regex.Pattern;

/** The section {@code saved} of a plan file. */
final class SavedPlanSection {
  private static final Codec<String> HASH =
      StringCodecs.matching("SHA-256 in hexadecimal", Pattern.compile("[0-9a-f]{64}"));

  static final Section<SavedPlan> SECTION =
      RecordSection.define(SavedPlan.class)
          .codec(
              "hashes",
              RecordSection.define(Hashes.class)
                  .codec("job", HASH)
                  .codec("profile", HASH)
                  .codec("prices", HASH)
                  .section())
          .codec(
              "usdPerHour",
              MapCodecs.of(
                  Pattern.compile("\\S+"), "an offer's name", FileValueLimits.usd("USD per hour")))
          .section();

  private SavedPlanSection() {}
}
