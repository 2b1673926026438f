package io.elastune.core.policy;

import java.util.List;
import java.util.OptionalInt;

/** Plays trial groups one after another on a fixed cluster that a policy divides among trials. */
public interface GroupTimeline {
  /** The durations of the trials of a group. */
  interface Model {
    /**
     * Returns the seconds until the first unit of an attempt starts.
     *
     * @param isFirst whether it is the first attempt in the group
     */
    double startupS(int trial, boolean isFirst);

    /**
     * Returns the seconds for which the start-up or the unit has lasted that a trial begins with,
     * if it has begun before the group was played; asked once for each attempt, after its start-up.
     */
    default double begunS(int trial) {
      return 0;
    }

    /** Returns the seconds per unit of a trial on an instance. */
    double unitS(int trial, Width width, int instance);

    /** Returns the seconds to write a checkpoint when a task is ended. */
    double checkpointS(int trial);

    /**
     * Returns the seconds per unit of a trial relative to those of a trial of average speed.
     *
     * @param hasReported whether it has completed a unit
     */
    double pace(int trial, boolean hasReported);

    /** Returns the loss that a trial reports after a unit: less is better. */
    double loss(int trial, int unit);

    /**
     * Returns the units of its task after which a trial reports the metric that ends the search;
     * empty if it does not.
     */
    default OptionalInt targetUnit(int trial) {
      return OptionalInt.empty();
    }

    /** Returns the time that is left at {@code nowS}. At the deadline, all tasks end. */
    default PolicyView.Timing timing(double nowS) {
      return PolicyView.Timing.NONE;
    }
  }

  /**
   * Plays one group and returns when it ends.
   *
   * @param name the name of the group
   * @param units the units of trial 1, 2, and so on
   * @param startS when it begins
   */
  double run(String name, List<Integer> units, double startS, Model durations);

  /** Returns the seconds in which a task ran on an instance, since the group began. */
  double usedS(int instance);

  /** Returns the same, weighted by the fraction of its GPUs in use. */
  double busyS(int instance);

  /** Whether a trial has reported the metric that ends the search. */
  boolean reachedTarget();

  /** Returns how often a running task was ended after a checkpoint to change its GPUs. */
  int resizes();

  /** Returns how often a running task was ended after a checkpoint so that others run. */
  int preemptions();

  /** Returns all attempts that have ended, in this order. */
  List<PolicyAttempt> attempts();
}
