package io.elastune.planner;

/** Something that takes time and money. */
interface Timed {
  /** Two costs, or two times, that differ by less are the same (model.md). */
  double SAME = 1e-9;

  double completionS();

  double costUsd();
}
