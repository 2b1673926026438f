package io.elastune.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * An attempt of a task of a {@link PolicyTimeline}. Times are in seconds, and equal if they are
 * within the same nanosecond.
 *
 * @param startS when it starts
 * @param trainsS when its first unit starts
 * @param endS when it ends
 * @param isEnding whether it was asked to end, and writes a checkpoint
 */
record TimelineAttempt(
    TimelineTask task,
    PolicyDecision.Start start,
    double startS,
    double trainsS,
    double unitS,
    double endS,
    boolean isEnding) {
  private static final double NANOS = 1e9;

  /** Returns a time rounded to nanoseconds. */
  static long ns(double seconds) {
    return seconds == Double.POSITIVE_INFINITY ? Long.MAX_VALUE : Math.round(seconds * NANOS);
  }

  /** Returns the attempt of a task that trains all units that are left. */
  static TimelineAttempt of(
      TimelineTask task, PolicyDecision.Start start, double nowS, double startupS, double unitS) {
    double trainsS = nowS + startupS;
    return new TimelineAttempt(
        task, start, nowS, trainsS, unitS, trainsS + task.unitsLeft() * unitS, false);
  }

  /** Returns this attempt of {@code reached}, which ends at {@code atS} after a checkpoint. */
  TimelineAttempt ending(TimelineTask reached, double atS) {
    return new TimelineAttempt(reached, start, startS, trainsS, unitS, atS, true);
  }

  /** Returns the units that it has completed at {@code nowS}. */
  int completed(double nowS) {
    if (isEnding || ns(nowS) <= ns(trainsS)) {
      return 0;
    }
    double units = (nowS - trainsS) / unitS;
    int nearest = (int) Math.rint(units);
    return isEndOf(nearest, nowS) ? nearest : (int) units;
  }

  private boolean isEndOf(int unit, double nowS) {
    return ns(trainsS + unit * unitS) == ns(nowS);
  }

  /** Whether a unit ends at {@code nowS}. */
  boolean isAtUnitEnd(double nowS) {
    int completed = completed(nowS);
    return completed > 0 && isEndOf(completed, nowS);
  }

  /** Returns when the unit ends that is trained at {@code nowS}; infinite for the last one. */
  double nextUnitS(double nowS) {
    int next = completed(nowS) + 1;
    return isEnding || next >= task.unitsLeft() ? Double.POSITIVE_INFINITY : trainsS + next * unitS;
  }

  /** Returns the task as it is left at {@code nowS}. */
  TimelineTask reached(double nowS) {
    int completed = completed(nowS);
    return new TimelineTask(
        task.trial(),
        task.units(),
        task.unitsLeft() - completed,
        false,
        task.trainedS() + completed * unitS,
        task.reports());
  }

  /**
   * Returns the task as it is left at {@code nowS}, with its reports.
   *
   * @param loss the loss after each unit of the task
   */
  TimelineTask reached(double nowS, IntToDoubleFunction loss) {
    TimelineTask left = reached(nowS);
    List<PolicyView.Report> reports = new ArrayList<>(task.reports());
    for (int unit = task.unit() + 1; unit <= left.unit(); unit++) {
      double trainedS = task.trainedS() + (unit - task.unit()) * unitS;
      reports.add(new PolicyView.Report(unit, loss.applyAsDouble(unit), trainedS));
    }
    return new TimelineTask(
        left.trial(), left.units(), left.unitsLeft(), false, left.trainedS(), reports);
  }
}
