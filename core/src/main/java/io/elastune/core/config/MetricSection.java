package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ReadResult;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.Metric;
import io.elastune.core.job.MetricPattern;
import java.util.Arrays;
import java.util.regex.PatternSyntaxException;

/** The section {@code search.metric} of a job file. */
final class MetricSection {
  private static final RecordSection<Metric> FIELDS =
      RecordSection.define(Metric.class)
          .codec("pattern", StringCodecs.checked("regular expression", MetricSection::readPattern))
          .codec("from", StringCodecs.checked("string", MetricSection::readFrom));
  private static final Field<Metric, String> PATTERN = FIELDS.field("pattern");
  private static final Field<Metric, String> FROM = FIELDS.field("from");

  static final Section<Metric> SECTION = FIELDS.section(MetricSection::check);

  private MetricSection() {}

  private static ReadResult<String> readPattern(String text) {
    try {
      return MetricPattern.compile(text).groups() == 0
          ? ReadResult.invalid(
              "must have a group for the value, not \"" + text + "\"",
              "for example 'val loss = (.*)'")
          : ReadResult.valid(text);
    } catch (PatternSyntaxException e) {
      return ReadResult.invalid(
          "must be a regular expression, not \"" + text + "\": " + e.getDescription());
    }
  }

  private static ReadResult<String> readFrom(String text) {
    if (text.isBlank()) {
      return ReadResult.invalid("must not be empty");
    }
    return text.startsWith("/") || Arrays.asList(text.split("/")).contains("..")
        ? ReadResult.invalid(
            "must be a file in the working folder of the trial, not \"" + text + "\"",
            "trials that run at the same time would overwrite each other's file")
        : ReadResult.valid(text);
  }

  private static void check(FieldValues fieldValues) {
    if (fieldValues.isGiven(PATTERN) && fieldValues.isGiven(FROM)) {
      fieldValues.problem(FROM, "cannot be combined with pattern", "leave out one of the two");
    }
  }
}
