package io.elastune.planner;

/**
 * Which plans around another are looked at.
 *
 * @param lateS none that take longer
 * @param dearUsd none that do not cost less
 * @param every with any number of instances, not only where the waves of a group change
 */
record Reach(double lateS, double dearUsd, boolean every) {
  /** Where the waves of a group change. */
  Reach(double lateS, double dearUsd) {
    this(lateS, dearUsd, false);
  }

  /** Of a chain whose fellows cost so much together. */
  Reach beside(double othersUsd) {
    return new Reach(lateS, dearUsd - othersUsd, every);
  }
}
