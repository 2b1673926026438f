package io.elastune.simulator.group;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.plan.SilenceLimit;

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
record AttemptCourse(
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

  /** Returns the units that it has completed after some seconds; the last one ends with it. */
  int completed(double ranS) {
    double trained = Math.floor((ranS - startupS) / unitS);
    return (int) Math.max(0, Math.min(trained, remaining - 1.0));
  }

  /**
   * Returns the seconds after which it is taken to hang.
   *
   * @param completed the units that it had completed when it began to hang
   * @param ranS seconds until then
   */
  double hangS(int completed, double ranS, SilenceLimit silence) {
    double lastS = completed > 0 ? startupS + completed * unitS : 0;
    double neededS = (remaining - completed) * unitS + (completed > 0 ? 0 : startupS);
    return Math.max(ranS, lastS + silence.afterS(neededS, 0));
  }

  /**
   * Returns the units of which it has a checkpoint when it ends by a fault.
   *
   * @param completed the units that it has completed
   * @param saves whether it has the time to save another one
   */
  int kept(int completed, boolean saves) {
    return saves ? completed : checkpoints.saved(completed);
  }
}
