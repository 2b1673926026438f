package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.CheckpointMeasurement.Sampled;

/** The section of a profile file with the measured sizes and times of checkpoints. */
final class CheckpointSection {
  private static final double MOST_GB = 1e6;

  private static final Section<Sampled> SECONDS =
      sampled("seconds", "A measured number of seconds.", FileValueLimits.seconds());

  static final Section<CheckpointMeasurement> SECTION =
      RecordSection.define(CheckpointMeasurement.class)
          .codec(
              "sizeGb",
              sampled(
                  "size",
                  "The measured size of checkpoints.",
                  NumberCodecs.between(0, MOST_GB, "GB")))
          .codec("saveS", SECONDS)
          .codec("storeS", SECONDS)
          .codec("restoreS", SECONDS)
          .section();

  private CheckpointSection() {}

  private static Section<Sampled> sampled(String title, String doc, Codec<Double> codec) {
    return RecordSection.define(Sampled.class).text(title, doc).codec("mean", codec).section();
  }
}
