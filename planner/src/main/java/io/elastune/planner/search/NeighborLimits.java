package io.elastune.planner.search;

/**
 * Limits the neighbors of a plan that are considered.
 *
 * @param latestS the latest completion time
 * @param maxUsd the cost below which a plan must be
 * @param anyCount whether to try any number of instances, or only those where the waves of a group
 *     change
 */
public record NeighborLimits(double latestS, double maxUsd, boolean anyCount) {
  /** Only numbers of instances where the waves of a group change. */
  public NeighborLimits(double latestS, double maxUsd) {
    this(latestS, maxUsd, false);
  }

  /** Returns these limits for one chain, given the total cost of the others. */
  public NeighborLimits besideOthers(double othersUsd) {
    return new NeighborLimits(latestS, maxUsd - othersUsd, anyCount);
  }
}
