package io.elastune.simulator;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.timeline.Task;

/** An attempt of a trial in a sample with faults. */
final class FaultyAttempt {
  final int trial;
  final FaultySlot slot;
  final double startS;
  double endS;

  /** When it reports the metric that ends the search; infinite if it does not. */
  double targetS;

  /** When it crashes or hangs; infinite if it ends before. */
  double faultS;

  boolean hangs;
  private final Course course;
  private int completedBeforeHang;

  /**
   * The course of an attempt without faults.
   *
   * @param startupS seconds until its first unit
   * @param unitS seconds per unit
   * @param remaining units that the trial still has to train
   * @param lastsS seconds until its end
   * @param checkpoints when it saves checkpoints
   * @param target after how many of its units it reports the metric that ends the search, or 0
   */
  record Course(
      double startupS,
      double unitS,
      int remaining,
      double lastsS,
      CheckpointSchedule checkpoints,
      int target) {
    /** Seconds until that report. */
    double targetS() {
      if (target <= 0) {
        return Double.POSITIVE_INFINITY;
      }
      return target == remaining ? lastsS : startupS + target * unitS;
    }
  }

  /**
   * @param faultAfterS seconds until it crashes or hangs, unless it ends before
   */
  FaultyAttempt(int trial, FaultySlot slot, double startS, Course course, double faultAfterS) {
    this.trial = trial;
    this.slot = slot;
    this.startS = startS;
    this.course = course;
    this.endS = startS + course.lastsS();
    this.targetS = startS + course.targetS();
    this.faultS = faultAfterS < course.lastsS() ? startS + faultAfterS : FaultyLease.NEVER;
  }

  /** Returns when it ends, crashes or hangs. */
  double nextS() {
    return Math.min(faultS, endS);
  }

  /** Whether its next event is a crash or a hang. */
  boolean isFaulty() {
    return faultS < endS;
  }

  /** Returns the units that it has completed at {@code nowS}; the last one ends with it. */
  private int completed(double nowS) {
    double trained = Math.floor((nowS - startS - course.startupS()) / course.unitS());
    return (int) Math.max(0, Math.min(trained, course.remaining() - 1.0));
  }

  /** Lets it hang at {@code nowS} until it is stopped; its last checkpoint stays the same. */
  void hang(double nowS, double stopS) {
    int completed = completed(nowS);
    double trainedS = course.startupS() + completed * course.unitS();
    double lastS = completed > 0 ? startS + trainedS : startS;
    double neededS =
        (course.remaining() - completed) * course.unitS() + (completed > 0 ? 0 : course.startupS());
    hangs = true;
    faultS = FaultyLease.NEVER;
    targetS = Double.POSITIVE_INFINITY;
    completedBeforeHang = completed;
    endS = Math.max(nowS, lastS + Task.hangS(neededS)) + stopS;
  }

  /**
   * Returns the units of which it has a checkpoint when it ends at {@code nowS} by a fault.
   *
   * @param saves whether it has the time to save another one; a hung attempt does not save
   */
  int kept(double nowS, boolean saves) {
    int completed = hangs ? completedBeforeHang : completed(nowS);
    return saves && !hangs ? completed : course.checkpoints().saved(completed);
  }
}
