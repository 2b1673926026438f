package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.CheckpointMeasurement.Sampled;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The section of a profile file with the measured sizes and times of checkpoints. */
final class CheckpointSection {
  private static final double MOST_GB = 1e6;

  private static final Section<Sampled> SIZE =
      sampled("size", "The measured size of checkpoints.", NumberCodecs.between(0, MOST_GB, "GB"));
  private static final Section<Sampled> SECONDS =
      sampled("seconds", "A measured number of seconds.", FileValueLimits.seconds());

  private static final Field<CheckpointMeasurement, Sampled> SIZE_GB =
      field("size_gb", SIZE, CheckpointMeasurement::sizeGb, "Size of a checkpoint in GB.");
  private static final Field<CheckpointMeasurement, Sampled> SAVE_S =
      field(
          "save_s",
          SECONDS,
          CheckpointMeasurement::saveS,
          "Seconds in which a trial writes a checkpoint, if they differ from those of a unit.");
  private static final Field<CheckpointMeasurement, Sampled> STORE_S =
      field(
          "store_s",
          SECONDS,
          CheckpointMeasurement::storeS,
          "Seconds in which a checkpoint is copied from an instance to the store.");
  private static final Field<CheckpointMeasurement, Sampled> RESTORE_S =
      field(
          "restore_s",
          SECONDS,
          CheckpointMeasurement::restoreS,
          "Seconds in which a checkpoint is copied from the store to an instance.");

  static final Section<CheckpointMeasurement> SECTION =
      Section.of(
          "checkpoint",
          "Measured sizes and times of checkpoints. All times are part of `startup_s`.",
          List.of(SIZE_GB, SAVE_S, STORE_S, RESTORE_S),
          fieldValues ->
              new CheckpointMeasurement(
                  fieldValues.find(SIZE_GB),
                  fieldValues.find(SAVE_S),
                  fieldValues.find(STORE_S),
                  fieldValues.find(RESTORE_S)));

  private CheckpointSection() {}

  private static Field<CheckpointMeasurement, Sampled> field(
      String name,
      Section<Sampled> section,
      Function<CheckpointMeasurement, Optional<Sampled>> getter,
      String doc) {
    return Field.optional(
        name, section, "not measured", getter, doc, "{mean: 1.5, cv: 0.1, samples: 6}");
  }

  private static Section<Sampled> sampled(String title, String doc, Codec<Double> codec) {
    Field<Sampled, Double> mean =
        Field.required("mean", codec, Sampled::mean, "Mean of the samples.", "1.5");
    Field<Sampled, Double> cv =
        Field.withDefault(
            "cv",
            FileValueLimits.cv(),
            0.0,
            Sampled::cv,
            "Coefficient of variation: standard deviation divided by the mean.",
            "0.1");
    Field<Sampled, Integer> samples =
        Field.required(
            "samples",
            NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
            Sampled::samples,
            "Number of samples.",
            "6");
    return Section.of(
        title,
        doc,
        List.of(mean, cv, samples),
        fieldValues ->
            new Sampled(fieldValues.get(mean), fieldValues.get(cv), fieldValues.get(samples)));
  }
}
