package io.elastune.planner;

/**
 * Limits the neighbors of a plan that are considered.
 *
 * @param lateS the latest completion time
 * @param dearUsd the cost below which a plan must be
 * @param every whether to try any number of instances, or only those where the waves of a group
 *     change
 */
record Reach(double lateS, double dearUsd, boolean every) {
  /** Only numbers of instances where the waves of a group change. */
  Reach(double lateS, double dearUsd) {
    this(lateS, dearUsd, false);
  }

  /** Returns these limits for one chain, given the total cost of the others. */
  Reach beside(double othersUsd) {
    return new Reach(lateS, dearUsd - othersUsd, every);
  }
}
