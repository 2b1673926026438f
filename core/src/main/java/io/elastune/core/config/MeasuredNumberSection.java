package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.profile.MeasuredNumber;
import java.util.List;
import java.util.Optional;

/** The section for the accuracy of one measured number. */
final class MeasuredNumberSection {
  private static final Field<MeasuredNumber, String> NAME =
      Field.required(
          "name",
          StringCodecs.text(),
          MeasuredNumber::name,
          "The field that the number belongs to.",
          "trial_cv");
  private static final Field<MeasuredNumber, Double> VALUE =
      Field.required(
          "value",
          FileValueLimits.measured(),
          MeasuredNumber::value,
          "The number, in the unit of that field.",
          "0.03");
  private static final Field<MeasuredNumber, Double> STANDARD_ERROR =
      Field.required(
          "standard_error",
          FileValueLimits.measured(),
          MeasuredNumber::standardError,
          "Its standard error, in the same unit.",
          "0.01");
  private static final Field<MeasuredNumber, Double> LOW =
      Field.required(
          "low",
          FileValueLimits.measured(),
          MeasuredNumber::low,
          "Lower end of its 95 % confidence interval.",
          "0.02");
  private static final Field<MeasuredNumber, Double> HIGH =
      Field.required(
          "high",
          FileValueLimits.measured(),
          MeasuredNumber::high,
          "Upper end of its 95 % confidence interval.",
          "0.06");
  private static final Field<MeasuredNumber, Integer> COUNT =
      Field.required(
          "count",
          NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
          MeasuredNumber::count,
          "Number of independent observations.",
          "8");

  static final Section<MeasuredNumber> SECTION =
      Section.<MeasuredNumber>of(
              "numbers",
              "The accuracy of one measured number.",
              List.of(NAME, VALUE, STANDARD_ERROR, LOW, HIGH, COUNT),
              fieldValues ->
                  new MeasuredNumber(
                      fieldValues.get(NAME),
                      fieldValues.get(VALUE),
                      fieldValues.get(STANDARD_ERROR),
                      fieldValues.get(LOW),
                      fieldValues.get(HIGH),
                      fieldValues.get(COUNT)))
          .withValidation(MeasuredNumberSection::check);

  private MeasuredNumberSection() {}

  private static void check(FieldValues fieldValues) {
    Optional<Double> low = fieldValues.find(LOW);
    if (low.isPresent() && fieldValues.find(HIGH).filter(high -> high < low.get()).isPresent()) {
      fieldValues.problem(HIGH, "must be at least low, which is " + low.get(), "");
    }
  }
}
