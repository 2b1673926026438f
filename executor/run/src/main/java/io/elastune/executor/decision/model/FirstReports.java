package io.elastune.executor.decision.model;

/**
 * Compares the time to the first report of attempts with the prediction. This time covers the
 * start-up and the first units, which cannot be separated without later reports.
 *
 * @param reports number of first reports
 * @param excessS the sum of their times, without the predicted start-ups
 * @param certainS the same, without the longest plausible start-ups
 * @param trainedS the predicted seconds of the units that they cover
 * @param varianceS2 variance of the sum of the times by chance alone
 */
public record FirstReports(
    int reports, double excessS, double certainS, double trainedS, double varianceS2) {
  static final FirstReports NONE = new FirstReports(0, 0, 0, 0, 0);

  /** A start-up may plausibly take this much longer than profiled, or twice as long. */
  private static final double PLAUSIBLE_DELAY_S = 10;

  FirstReports with(TrialDuration predicted, int count, double tookS) {
    double startupS = predicted.startupS();
    double longestS = startupS + Math.max(startupS, PLAUSIBLE_DELAY_S);
    return new FirstReports(
        reports + 1,
        excessS + Math.max(0, tookS) - startupS,
        certainS + Math.max(0, tookS - longestS),
        trainedS + count * predicted.unitS(),
        varianceS2 + predicted.startupVarianceS2() + predicted.varianceS2(count));
  }

  /** Whether there are enough of them for a conclusion. */
  boolean hasEvidence() {
    return reports >= SpeedRatio.MIN_REPORTS;
  }

  /**
   * Returns the mean difference of the start-ups to the prediction in seconds if units take {@code
   * pace} times as long as predicted, shrunk towards 0 by its possible error as in {@link
   * SpeedRatio#factor}.
   */
  double startupShiftS(double pace) {
    if (!hasEvidence()) {
      return 0;
    }
    double mean = (excessS - pace * trainedS) / reports;
    double chance = SpeedRatio.STANDARD_ERRORS * Math.sqrt(varianceS2) / reports;
    return Math.abs(mean) <= chance ? 0 : mean * (1 - chance * chance / (mean * mean));
  }

  /**
   * Returns the ratio of measured to predicted unit time that even the longest plausible start-ups
   * and chance do not explain; 1 if they do. It is never below 1: a short first report may mean a
   * short start-up.
   */
  double leastSlowdown() {
    if (!hasEvidence() || trainedS <= 0) {
      return 1;
    }
    double chanceS = SpeedRatio.STANDARD_ERRORS * Math.sqrt(varianceS2);
    return Math.max(1, (certainS - chanceS) / trainedS);
  }
}
