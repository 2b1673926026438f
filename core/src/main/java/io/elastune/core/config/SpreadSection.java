package io.elastune.core.config;

import io.elastune.core.Spread;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.Section;
import java.util.List;

/** The section for a random number of seconds: mean and coefficient of variation. */
final class SpreadSection {
  private static final Field<Spread, Double> MEAN =
      Field.required("mean", FileValueLimits.seconds(), Spread::mean, "Mean, in seconds.", "60");
  private static final Field<Spread, Double> CV =
      Field.withDefault(
          "cv",
          FileValueLimits.cv(),
          0.0,
          Spread::cv,
          "Coefficient of variation: standard deviation divided by the mean.",
          "0.2");

  static final Section<Spread> SECTION =
      Section.of(
          "spread",
          "A random number of seconds, such as `startup_s` and `queue_s`.",
          List.of(MEAN, CV),
          fieldValues -> new Spread(fieldValues.get(MEAN), fieldValues.get(CV)));

  private SpreadSection() {}
}
