package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.job.TrainingResource;

/** The section {@code search.resource} of a job file. */
final class TrainingResourceSection {
  private static final RecordSection<TrainingResource> FIELDS =
      RecordSection.define(TrainingResource.class);
  private static final Field<TrainingResource, Integer> MIN = FIELDS.field("min");
  private static final Field<TrainingResource, Integer> MAX = FIELDS.field("max");
  private static final Field<TrainingResource, Integer> RUNGS = FIELDS.field("rungs");

  static final Section<TrainingResource> SECTION = FIELDS.section(TrainingResourceSection::check);

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
