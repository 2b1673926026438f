package io.elastune.core.policy;

import java.util.List;

/** Plays trial groups one after another on a fixed cluster that a policy divides among trials. */
public interface GroupTimeline {
  /**
   * Plays one group and returns when it ends.
   *
   * @param name the name of the group
   * @param units the units of trial 1, 2, and so on
   * @param startS when it begins
   */
  double run(String name, List<Integer> units, double startS, PolicyTimeline.Model durations);

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
