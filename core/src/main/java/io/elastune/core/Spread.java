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

  /** Returns the distribution of values that are larger by a factor. */
  public Spread times(double factor) {
    return new Spread(mean * factor, cv);
  }

  /**
   * Returns the variance of the logarithm of a log-normal value: {@code σ² = ln(1+cv²)}
   * (docs/model.md, "Time").
   *
   * @param cv coefficient of variation of the value
   */
  public static double logVariance(double cv) {
    return Math.log1p(cv * cv);
  }

  /**
   * Returns a value of the log-normal distribution with this mean and coefficient of variation.
   *
   * @param score by how many standard deviations its logarithm is above the mean of logarithms
   */
  public double logNormal(double score) {
    double variance = logVariance(cv);
    return mean * Math.exp(score * Math.sqrt(variance) - variance / 2);
  }
}
