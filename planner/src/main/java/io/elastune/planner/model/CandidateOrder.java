package io.elastune.planner.model;

/** Orders candidates for one chain, with the tie rules of docs/model.md, "What is optimized". */
public final class CandidateOrder {
  private CandidateOrder() {}

  /** Orders by cost; then by completion time, instances and allocations. */
  public static int cheaper(ChainCandidate a, ChainCandidate b) {
    int order = compare(a.costUsd(), b.costUsd());
    if (order == 0) {
      order = compare(a.completionS(), b.completionS());
    }
    return order != 0 ? order : ChainCandidate.BY_ALLOCATIONS.compare(a, b);
  }

  /** Orders by completion time; then by cost, instances and allocations. */
  public static int faster(ChainCandidate a, ChainCandidate b) {
    int order = compare(a.completionS(), b.completionS());
    if (order == 0) {
      order = compare(a.costUsd(), b.costUsd());
    }
    return order != 0 ? order : ChainCandidate.BY_ALLOCATIONS.compare(a, b);
  }

  public static int compare(double a, double b) {
    return Math.abs(a - b) <= TimeAndCost.TOLERANCE ? 0 : Double.compare(a, b);
  }
}
