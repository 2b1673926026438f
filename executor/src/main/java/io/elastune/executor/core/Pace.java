package io.elastune.executor.core;

/**
 * How long the units reported so far took, beside what was predicted of them. One figure for the
 * whole run: a program that is slow on one size is taken to be so on all.
 *
 * @param predictedS of all units reported
 * @param observedS the same as it was
 * @param varianceS2 how far the two may differ by chance alone
 */
public record Pace(double predictedS, double observedS, double varianceS2) {
  static final Pace UNKNOWN = new Pace(0, 0, 0);

  /** So many standard errors are taken for chance. */
  private static final double CHANCE = 2;

  /** A single report that took more than this many times as long says no more than that. */
  private static final double MOST = 10;

  /** Nothing is ever taken to be more than this many times as fast as profiled. */
  private static final double LEAST = 0.05;

  /** With another report; clocks may be off, so that it seems to have taken no time, or ages. */
  Pace plus(double morePredictedS, double moreObservedS, double moreVarianceS2) {
    double observed = Math.max(0, Math.min(moreObservedS, MOST * morePredictedS));
    return new Pace(predictedS + morePredictedS, observedS + observed, varianceS2 + moreVarianceS2);
  }

  /**
   * How many times as long as predicted units take, drawn towards 1 by as much as it may be off by
   * chance (James and Stein's positive part): few noisy reports say little, and more of them never
   * make it jump.
   */
  public double factor() {
    if (predictedS <= 0) {
      return 1;
    }
    double off = observedS / predictedS - 1;
    double chance = CHANCE * errorOf();
    if (Math.abs(off) <= chance) {
      return 1;
    }
    return Math.max(LEAST, 1 + off * (1 - chance * chance / (off * off)));
  }

  /** The standard error of {@link #factor}. */
  double errorOf() {
    return predictedS <= 0 ? 0 : Math.sqrt(varianceS2) / predictedS;
  }
}
