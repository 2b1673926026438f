package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.TrainingResource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The section {@code search.resource} of a job file. */
final class TrainingResourceSection {
  private static final int MOST_RUNGS = 31;

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

  private static final Field<TrainingResource, Integer> RUNGS =
      Field.optional(
          "rungs",
          NumberCodecs.wholeNumber(2, MOST_RUNGS),
          "they follow from min",
          resource ->
              resource.rungs().isPresent()
                  ? Optional.of(resource.rungs().getAsInt())
                  : Optional.empty(),
          "For asha, instead of `min`: how often trials are compared. The last target is `max`, and"
              + " each is `eta` times the one before.",
          "4");

  static final Section<TrainingResource> SECTION =
      Section.<TrainingResource>of(
              "search.resource",
              "How many whole units a trial is trained.",
              List.of(UNIT, MIN, MAX, RUNGS),
              fieldValues ->
                  new TrainingResource(
                      fieldValues.get(UNIT),
                      fieldValues.get(MIN),
                      fieldValues.get(MAX),
                      fieldValues.find(RUNGS).map(OptionalInt::of).orElseGet(OptionalInt::empty)))
          .withValidation(TrainingResourceSection::check);

  private TrainingResourceSection() {}

  private static void check(FieldValues fieldValues) {
    int min = fieldValues.find(MIN).orElse(1);
    int max = fieldValues.find(MAX).orElse(Integer.MAX_VALUE);
    if (fieldValues.isGiven(RUNGS) && min > 1) {
      fieldValues.problem(
          RUNGS, "cannot be combined with min, which is the first target", "leave one out");
    }
    if (min > max) {
      Field<?, ?> field = fieldValues.isGiven(MIN) ? MIN : MAX;
      fieldValues.problem(field, "min is above max: " + min + " > " + max, "");
    }
  }
}
