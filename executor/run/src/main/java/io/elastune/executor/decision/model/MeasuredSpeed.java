package io.elastune.executor.decision.model;

/**
 * What the reports of a run show about its speed. Unit time and start-up are learned separately:
 * the first report of an attempt covers its start-up, so it never counts as unit time.
 *
 * @param units the speed of the units after the first report of an attempt
 * @param first the first reports of attempts
 * @param reportUnits the most units that one report has covered so far; 0 before the first report
 */
public record MeasuredSpeed(SpeedRatio units, FirstReports first, int reportUnits) {
  static final MeasuredSpeed NO_REPORTS =
      new MeasuredSpeed(SpeedRatio.NO_REPORTS, FirstReports.NONE, 0);

  /**
   * Returns the speed after the first report of an attempt.
   *
   * @param count the units that it covers
   * @param tookS seconds from the start of the attempt to the report
   */
  public MeasuredSpeed afterFirstReport(TrialDuration predicted, int count, double tookS) {
    return new MeasuredSpeed(
        units, first.with(predicted, count, tookS), Math.max(reportUnits, count));
  }

  /**
   * Returns the speed after a later report.
   *
   * @param done the units that the attempt had reported before
   * @param count the units that the report covers
   * @param tookS seconds since the report before
   */
  public MeasuredSpeed afterLaterReport(
      TrialDuration predicted, int done, int count, double tookS) {
    double variance = predicted.varianceS2(done + count) - predicted.varianceS2(done);
    return new MeasuredSpeed(
        units.afterReport(count * predicted.unitS(), tookS, variance),
        first,
        Math.max(reportUnits, count));
  }

  /**
   * Returns the ratio of measured to predicted unit time; 1 while there is too little evidence.
   * Until later reports show the time of a unit, first reports can only show that units are slower.
   */
  public double factor() {
    return units.hasEvidence() ? units.factor() : first.leastSlowdown();
  }

  /** Returns the number of reports that {@link #factor} is based on. */
  public int evidence() {
    return units.hasEvidence() ? units.reports() : first.reports();
  }

  /**
   * Returns the seconds by which start-ups take longer than profiled; 0 while there is too little
   * evidence. Only known unit times can show that start-ups are shorter.
   */
  public double startupShiftS() {
    double shift = first.startupShiftS(factor());
    return units.hasEvidence() ? shift : Math.max(0, shift);
  }
}
