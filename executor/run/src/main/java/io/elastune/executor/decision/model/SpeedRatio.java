package io.elastune.executor.decision.model;

/**
 * Compares the measured with the predicted time of all reported units, except those that the first
 * report of an attempt covers. There is one ratio for the whole run: a program that is slow at one
 * trial size is assumed to be slow at all.
 *
 * @param reports number of reports that are compared
 * @param predictedS predicted seconds of all reported units
 * @param observedS their measured seconds
 * @param varianceS2 variance of the difference by chance alone
 */
public record SpeedRatio(int reports, double predictedS, double observedS, double varianceS2) {
  static final SpeedRatio NO_REPORTS = new SpeedRatio(0, 0, 0, 0);

  /**
   * The fewest reports that change a forecast or a plan: the ratio of fewer is 1, whatever their
   * times are.
   */
  public static final int MIN_REPORTS = 3;

  /** Deviations up to this number of standard errors are attributed to chance. */
  static final double STANDARD_ERRORS = 2;

  /** A single report counts at most as this multiple of its predicted time. */
  private static final double MAX_REPORT_RATIO = 10;

  /** The lower limit of the ratio. */
  private static final double MIN_RATIO = 0.05;

  /**
   * Returns the ratio after another report. The measured time is limited, because clocks may be
   * wrong.
   */
  public SpeedRatio afterReport(
      double morePredictedS, double moreObservedS, double moreVarianceS2) {
    double observed = Math.max(0, Math.min(moreObservedS, MAX_REPORT_RATIO * morePredictedS));
    return new SpeedRatio(
        reports + 1,
        predictedS + morePredictedS,
        observedS + observed,
        varianceS2 + moreVarianceS2);
  }

  /**
   * Returns the ratio of measured to predicted time, shrunk towards 1 by its possible error
   * (positive-part James-Stein estimator): a few noisy reports change little, and the ratio never
   * jumps.
   */
  public double factor() {
    if (predictedS <= 0 || !hasEvidence()) {
      return 1;
    }
    double off = observedS / predictedS - 1;
    double chance = STANDARD_ERRORS * standardError();
    if (Math.abs(off) <= chance) {
      return 1;
    }
    return Math.max(MIN_RATIO, 1 + off * (1 - chance * chance / (off * off)));
  }

  /** Whether there are enough reports for a ratio. */
  boolean hasEvidence() {
    return reports >= MIN_REPORTS;
  }

  /** The standard error of {@link #factor}. */
  public double standardError() {
    return predictedS <= 0 ? 0 : Math.sqrt(varianceS2) / predictedS;
  }
}
