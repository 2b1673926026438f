package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.Metric;
import java.util.List;

/** The section {@code search.metric} of a job file. */
final class MetricSection {
  private static final Field<Metric, String> NAME =
      Field.required(
          "name",
          StringCodecs.text(),
          Metric::name,
          "Name of the metric in the reports of the trials.",
          "val_acc");
  private static final Field<Metric, Metric.Goal> GOAL =
      Field.required(
          "goal",
          StringCodecs.word(Metric.Goal.values(), Metric.Goal::word),
          Metric::goal,
          "Whether higher or lower values are better.",
          "maximize");

  static final Section<Metric> SECTION =
      Section.of(
          "search.metric",
          "The metric that every trial reports.",
          List.of(NAME, GOAL),
          fieldValues -> new Metric(fieldValues.get(NAME), fieldValues.get(GOAL)));

  private MetricSection() {}
}
