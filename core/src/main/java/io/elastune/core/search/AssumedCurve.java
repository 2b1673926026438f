package io.elastune.core.search;

import java.util.stream.IntStream;

/**
 * The learning curve that predictions and simulated environments assume for a trial whose metrics
 * are unknown: it rises from 0 towards the quality of the trial, or falls from 1 towards it, with
 * the time constant of 5 units (docs/searches.md, "Hermes" and "HyperSched").
 */
public final class AssumedCurve {
  private static final double LEARNING_UNITS = 5;

  /** By unit: what is left to the quality after it. */
  private static final double[] LEFT =
      IntStream.range(0, 512).mapToDouble(AssumedCurve::left).toArray();

  private AssumedCurve() {}

  /** Returns a quality between 0 and 1 for a number of the standard normal distribution. */
  public static double quality(double normal) {
    return 1 / (1 + Math.exp(-normal));
  }

  /**
   * Returns the metric that a trial reports after a unit.
   *
   * @param quality the metric that it approaches, between 0 and 1
   * @param isMinimized whether less is better
   */
  public static double metric(double quality, int unit, boolean isMinimized) {
    double left = unit >= 0 && unit < LEFT.length ? LEFT[unit] : left(unit);
    return isMinimized ? quality + (1 - quality) * left : quality * (1 - left);
  }

  private static double left(int unit) {
    return Math.exp(-unit / LEARNING_UNITS);
  }

  /**
   * Returns by how much the metric of a trial changes in the next units.
   *
   * @param perUnit by how much it changes per unit now
   */
  public static double change(double perUnit, int units) {
    return perUnit * LEARNING_UNITS * (1 - left(units));
  }
}
