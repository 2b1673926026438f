package io.elastune.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;

/**
 * An attempt of a task of a {@link PolicyTimeline}. Times are in seconds, and equal if they are
 * within the same nanosecond.
 *
 * @param order its number in the order of all starts
 * @param startS when it starts
 * @param trainsS when its first unit starts
 * @param endS when it ends
 * @param stoppedS when it was asked to end and began to write a checkpoint; infinite if it was not
 */
record TimelineAttempt(
    int order,
    TimelineTask task,
    PolicyDecision.Start start,
    double startS,
    double trainsS,
    double unitS,
    double endS,
    double stoppedS) {
  /** Returns the attempt of a task that trains all units that are left. */
  static TimelineAttempt of(
      int order,
      TimelineTask task,
      PolicyDecision.Start start,
      double nowS,
      double startupS,
      double unitS) {
    double trainsS = nowS + startupS;
    double endS = trainsS + task.unitsLeft() * unitS;
    return new TimelineAttempt(
        order, task, start, nowS, trainsS, unitS, endS, Double.POSITIVE_INFINITY);
  }

  /** Returns this attempt of {@code reached}, stopped now, which ends at {@code atS}. */
  TimelineAttempt ending(TimelineTask reached, double nowS, double atS) {
    return new TimelineAttempt(order, reached, start, startS, trainsS, unitS, atS, nowS);
  }

  /** Whether it was asked to end, and writes a checkpoint. */
  boolean isEnding() {
    return stoppedS < Double.POSITIVE_INFINITY;
  }

  /** Returns the moment of its end. */
  TimelineMoment end() {
    return isEnding() ? TimelineMoment.of(endS, stoppedS, order) : endOf(task.unitsLeft());
  }

  /** Returns the moment at which it completes a unit, counted from 1. */
  private TimelineMoment endOf(int unit) {
    double sinceS = unit <= 1 ? startS : trainsS + (unit - 1) * unitS;
    return TimelineMoment.of(trainsS + unit * unitS, sinceS, order);
  }

  /** Returns the units that it has completed at a moment. */
  int completed(TimelineMoment now) {
    if (isEnding()) {
      return 0;
    }
    int unit = (int) Math.rint((now.seconds() - trainsS) / unitS);
    while (unit > 0 && endOf(unit).isAfter(now)) {
      unit--;
    }
    return Math.max(0, Math.min(unit, task.unitsLeft()));
  }

  /** Whether it has completed a unit just now, and has more to train. */
  boolean isAtUnitEnd(TimelineMoment now) {
    int completed = completed(now);
    return completed > 0 && completed < task.unitsLeft() && endOf(completed).ns() == now.ns();
  }

  /**
   * Returns the end of the next unit that matters; empty for the last one.
   *
   * @param nextUnit returns the first unit of the task, from a given one, that matters
   */
  Optional<TimelineMoment> nextUnit(TimelineMoment now, IntUnaryOperator nextUnit) {
    if (isEnding()) {
      return Optional.empty();
    }
    int next = nextUnit.applyAsInt(task.unit() + completed(now) + 1) - task.unit();
    return next >= task.unitsLeft() ? Optional.empty() : Optional.of(endOf(next));
  }

  /**
   * Returns the moment at which it completes a unit of its task; never if it does not.
   *
   * @param unit counted from 1, with those of earlier attempts
   */
  TimelineMoment targetMoment(OptionalInt unit) {
    int own = unit.orElse(0) - task.unit();
    boolean completes = own > 0 && own <= task.unitsLeft() && !isEnding();
    return completes ? endOf(own) : TimelineMoment.NEVER;
  }

  /** Returns the task as it is left at a moment. */
  TimelineTask reached(TimelineMoment now) {
    int completed = completed(now);
    return new TimelineTask(
        task.trial(),
        task.group(),
        task.units(),
        task.unitsLeft() - completed,
        false,
        task.trainedS() + completed * unitS,
        task.reports());
  }

  /**
   * Returns the task as it is left at a moment, with its reports.
   *
   * @param loss the loss after each unit of the task
   */
  TimelineTask reached(TimelineMoment now, IntToDoubleFunction loss) {
    TimelineTask left = reached(now);
    List<PolicyView.Report> reports = new ArrayList<>(task.reports());
    for (int unit = task.unit() + 1; unit <= left.unit(); unit++) {
      double trainedS = task.trainedS() + (unit - task.unit()) * unitS;
      reports.add(new PolicyView.Report(unit, loss.applyAsDouble(unit), trainedS));
    }
    return new TimelineTask(
        left.trial(),
        left.group(),
        left.units(),
        left.unitsLeft(),
        false,
        left.trainedS(),
        reports);
  }
}
