package io.elastune.core;

/**
 * A quantity that varies from draw to draw.
 *
 * @param mean the mean, in the unit that the field's name gives
 * @param cv the coefficient of variation: standard deviation divided by the mean; 0 is "always the
 *     mean"
 */
public record Spread(double mean, double cv) {
  /** Always zero. */
  public static final Spread NONE = new Spread(0, 0);

  public Spread {
    Check.notNegative("mean", mean);
    Check.notNegative("cv", cv);
  }

  /** Always {@code mean}. */
  public static Spread exactly(double mean) {
    return new Spread(mean, 0);
  }
}
