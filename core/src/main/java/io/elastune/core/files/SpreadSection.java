package io.elastune.core.files;

import io.elastune.core.Spread;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Section;
import java.util.List;

/** The section for a random number of seconds: mean and coefficient of variation. */
final class SpreadSection {
  private static final Field<Spread, Double> MEAN =
      Field.required("mean", Bounds.seconds(), Spread::mean, "Mean, in seconds.", "60");
  private static final Field<Spread, Double> CV =
      Field.withDefault(
          "cv",
          Bounds.cv(),
          0.0,
          Spread::cv,
          "Coefficient of variation: standard deviation divided by the mean.",
          "0.2");

  static final Section<Spread> SECTION =
      Section.of(
          "spread",
          "A random number of seconds, such as `startup_s` and `queue_s`.",
          List.of(MEAN, CV),
          values -> new Spread(values.get(MEAN), values.get(CV)));

  private SpreadSection() {}
}
