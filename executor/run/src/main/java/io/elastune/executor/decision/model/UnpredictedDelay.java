package io.elastune.executor.decision.model;

/**
 * By how much a run is later than the planner predicted, by causes that no rate describes: a
 * controller that was away, calls that failed, attempts that did not end.
 *
 * @param endS the predicted end of the present plan when it was last predicted, in seconds from the
 *     start of the run; 0 if it has not been predicted
 * @param atS when that was
 * @param pace the ratio of measured to profiled time then
 * @param lateS the sum of the differences between each prediction and the next one of the same plan
 */
public record UnpredictedDelay(double endS, double atS, double pace, double lateS) {
  /** A run whose plan has not been predicted again. */
  public static final UnpredictedDelay NONE = new UnpredictedDelay(0, 0, 1, 0);

  /**
   * Returns the delay after another prediction of the same plan. What follows from another speed of
   * the trials is no delay: predictions include the present one.
   */
  public UnpredictedDelay predicted(double nowEndS, double nowS, double nowPace) {
    double expectedS = atS + (endS - atS) * nowPace / pace;
    return new UnpredictedDelay(
        nowEndS, nowS, nowPace, endS == 0 ? 0 : lateS + nowEndS - expectedS);
  }

  /** Returns the delay with another plan. */
  public UnpredictedDelay withPlan(double newEndS) {
    return new UnpredictedDelay(newEndS, atS, pace, lateS);
  }

  /**
   * Returns when a plan ends that is delayed as much as the run so far, for each second of the run.
   *
   * @param predictedS its predicted end
   */
  public double delayedS(double predictedS) {
    double perS = atS <= 0 ? 0 : Math.max(0, lateS) / atS;
    return predictedS + perS * Math.max(0, predictedS - atS);
  }
}
