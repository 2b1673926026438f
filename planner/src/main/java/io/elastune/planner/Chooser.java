package io.elastune.planner;

/** Orders candidates for one chain, with the tie rules of docs/model.md, "What is optimized". */
final class Chooser {
  private Chooser() {}

  /** Orders by cost; then by completion time, instances and allocations. */
  static int cheaper(Draft a, Draft b) {
    int order = compare(a.costUsd(), b.costUsd());
    if (order == 0) {
      order = compare(a.completionS(), b.completionS());
    }
    return order != 0 ? order : Draft.SMALLER.compare(a, b);
  }

  /** Orders by completion time; then by cost, instances and allocations. */
  static int faster(Draft a, Draft b) {
    int order = compare(a.completionS(), b.completionS());
    if (order == 0) {
      order = compare(a.costUsd(), b.costUsd());
    }
    return order != 0 ? order : Draft.SMALLER.compare(a, b);
  }

  static int compare(double a, double b) {
    return Math.abs(a - b) <= Timed.SAME ? 0 : Double.compare(a, b);
  }
}
