package io.elastune.planner;

/** Something with a completion time and a cost. */
interface Timed {
  /**
   * Two costs in dollars, or two times in seconds, that differ by less are equal (docs/model.md).
   */
  double SAME = 1e-9;

  double completionS();

  double costUsd();
}
