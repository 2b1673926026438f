package io.elastune.core;

import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;

/** The distribution of a quantity that varies randomly: its mean and coefficient of variation. */
@FileSection(
    title = "spread",
    doc = "A random number of seconds, such as `startup_s` and `queue_s`.")
public record Spread(
    @FileField(doc = "Mean, in seconds.", example = "60")
        @Bounds(least = 0, most = Bounds.MOST_S, unit = "seconds")
        double mean,
    @FileField(
            doc = "Coefficient of variation: standard deviation divided by the mean.",
            absent = "0",
            example = "0.2")
        @Bounds(least = 0, most = Bounds.MOST_CV)
        double cv) {
  /** The constant zero. */
  public static final Spread NONE = new Spread(0, 0);

  public Spread {
    Preconditions.notNegative("mean", mean);
    Preconditions.notNegative("cv", cv);
  }

  /** Returns the constant {@code mean}. */
  public static Spread exactly(double mean) {
    return new Spread(mean, 0);
  }
}
