package io.elastune.executor.decision.model;

/**
 * How long a trial trained in a group, compared with its profile. The first report of an attempt
 * also covers its start-up, so it counts only until a later one is known.
 *
 * @param firstS seconds from the starts of attempts to their first reports, without the start-ups
 *     that the profile predicts
 * @param firstPredictedS the predicted seconds for the same units
 * @param laterS seconds between later reports
 * @param laterPredictedS the predicted seconds for the same units
 */
public record TrialPace(
    double firstS, double firstPredictedS, double laterS, double laterPredictedS) {
  /** The pace of a trial that has not reported. */
  public static final TrialPace UNKNOWN = new TrialPace(0, 0, 0, 0);

  /** The least ratio that a first report shows: its start-up may be shorter than predicted. */
  private static final double LEAST_FIRST = 0.25;

  /** Returns the pace after the first report of an attempt. */
  public TrialPace afterFirstReport(double seconds, double predictedS) {
    return new TrialPace(
        firstS + Math.max(seconds, LEAST_FIRST * predictedS),
        firstPredictedS + predictedS,
        laterS,
        laterPredictedS);
  }

  /** Returns the pace after another report of an attempt. */
  public TrialPace afterLaterReport(double seconds, double predictedS) {
    return new TrialPace(firstS, firstPredictedS, laterS + seconds, laterPredictedS + predictedS);
  }

  /** Returns the measured time of a unit relative to the predicted one; 1 if nothing is known. */
  public double ratio() {
    if (laterPredictedS > 0 && laterS > 0) {
      return laterS / laterPredictedS;
    }
    return firstPredictedS > 0 ? firstS / firstPredictedS : 1;
  }
}
