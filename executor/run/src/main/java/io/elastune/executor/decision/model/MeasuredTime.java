package io.elastune.executor.decision.model;

/**
 * What a profiling run has measured of one trial. Start-up is part of an attempt's duration, but
 * not of the time between two of its reports.
 *
 * @param attempts attempts that reached the end of their units
 * @param betweenUnits units between reports of the same attempt, without the last report, before
 *     which the trial writes its checkpoint
 * @param betweenS seconds of these units
 * @param shortest the attempt of the fewest units, without the trial's first attempt: the program
 *     is loaded for the first time then
 * @param longest the attempt of the most units, without the trial's first attempt
 */
public record MeasuredTime(
    int attempts, int betweenUnits, double betweenS, Extent shortest, Extent longest) {
  static final MeasuredTime NONE = new MeasuredTime(0, 0, 0, Extent.NONE, Extent.NONE);

  /** The units of an attempt, and the seconds from its start to its last report. */
  public record Extent(int units, double seconds) {
    static final Extent NONE = new Extent(0, 0);
  }

  /** Returns the measurement after a report of {@code units} more units in {@code seconds}. */
  public MeasuredTime afterReport(int units, double seconds) {
    return new MeasuredTime(
        attempts, betweenUnits + units, betweenS + Math.max(0, seconds), shortest, longest);
  }

  /** Returns the measurement after an attempt reached its end. */
  public MeasuredTime afterAttempt(int units, double seconds) {
    if (attempts == 0) {
      return new MeasuredTime(1, betweenUnits, betweenS, shortest, longest);
    }
    Extent attempt = new Extent(units, seconds);
    boolean second = attempts == 1;
    return new MeasuredTime(
        attempts + 1,
        betweenUnits,
        betweenS,
        second || units < shortest.units() ? attempt : shortest,
        second || units > longest.units() ? attempt : longest);
  }
}
