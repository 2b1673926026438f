package io.elastune.planner;

/** Which of two drafts is better, with the ties of model.md, "What is optimised". */
final class Chooser {
  private Chooser() {}

  /** Cheaper; then sooner, fewer instances, smaller. */
  static int cheaper(Draft a, Draft b) {
    int order = compare(a.costUsd(), b.costUsd());
    if (order == 0) {
      order = compare(a.completionS(), b.completionS());
    }
    return order != 0 ? order : Draft.SMALLER.compare(a, b);
  }

  /** Sooner; then cheaper, fewer instances, smaller. */
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
