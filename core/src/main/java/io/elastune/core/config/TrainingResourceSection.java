package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.TrainingResource;
import java.util.List;

/** The section {@code search.resource} of a job file. */
final class TrainingResourceSection {
  private static final Field<TrainingResource, String> UNIT =
      Field.required(
          "unit",
          StringCodecs.text(),
          TrainingResource::unit,
          "Name of the training unit.",
          "epoch");
  private static final Field<TrainingResource, Integer> MIN =
      Field.withDefault(
          "min",
          NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
          1,
          TrainingResource::min,
          "Units after which trials are compared for the first time; for pbt, between comparisons.",
          "1");
  private static final Field<TrainingResource, Integer> MAX =
      Field.required(
          "max",
          NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
          TrainingResource::max,
          "Units of a fully trained trial.",
          "64");

  static final Section<TrainingResource> SECTION =
      Section.<TrainingResource>of(
              "search.resource",
              "How many whole units a trial is trained.",
              List.of(UNIT, MIN, MAX),
              fieldValues ->
                  new TrainingResource(
                      fieldValues.get(UNIT), fieldValues.get(MIN), fieldValues.get(MAX)))
          .withValidation(TrainingResourceSection::check);

  private TrainingResourceSection() {}

  private static void check(FieldValues fieldValues) {
    int min = fieldValues.find(MIN).orElse(1);
    int max = fieldValues.find(MAX).orElse(Integer.MAX_VALUE);
    if (min > max) {
      Field<?, ?> field = fieldValues.isGiven(MIN) ? MIN : MAX;
      fieldValues.problem(field, "min is above max: " + min + " > " + max, "");
    }
  }
}
