package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.profile.MeasuredNumber;
import java.util.Optional;

/** The section for the accuracy of one measured number. */
final class MeasuredNumberSection {
  private static final RecordSection<MeasuredNumber> FIELDS =
      RecordSection.define(MeasuredNumber.class);
  private static final Field<MeasuredNumber, Double> LOW = FIELDS.field("low");
  private static final Field<MeasuredNumber, Double> HIGH = FIELDS.field("high");

  static final Section<MeasuredNumber> SECTION = FIELDS.section(MeasuredNumberSection::check);

  private MeasuredNumberSection() {}

  private static void check(FieldValues fieldValues) {
    Optional<Double> low = fieldValues.find(LOW);
    if (low.isPresent() && fieldValues.find(HIGH).filter(high -> high < low.get()).isPresent()) {
      fieldValues.problem(HIGH, "must be at least low, which is " + low.get(), "");
    }
  }
}
