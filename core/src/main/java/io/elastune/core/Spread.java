package io.elastune.core;

/**
 * The distribution of a quantity that varies randomly: its mean and coefficient of variation.
 *
 * @param mean the mean, in the unit named by the field
 * @param cv the coefficient of variation: standard deviation divided by the mean; 0 for a constant
 */
public record Spread(double mean, double cv) {
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
