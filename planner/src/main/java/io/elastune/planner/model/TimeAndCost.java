package io.elastune.planner.model;

/** Something with a completion time and a cost. */
public interface TimeAndCost {
  /**
   * Two costs in dollars, or two times in seconds, that differ by less are equal (docs/model.md).
   */
  double TOLERANCE = 1e-9;

  double completionS();

  double costUsd();
}
