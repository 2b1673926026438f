package io.elastune.simulator;

import io.elastune.core.estimate.CostBy;

/** Dollars, by group in the sample under way and by cause over a block of samples. */
final class Ledger {
  /** Of the sample under way, by the group's index in the workload. */
  final double[] groupUsd;

  /** Sums over the samples since the last {@link #take}. */
  double computeUsd;

  double idleUsd;
  double provisioningUsd;
  double dataUsd;
  double otherUsd;

  Ledger(int groups) {
    groupUsd = new double[groups];
  }

  /** The sums by cause, which begin anew. */
  CostBy take() {
    CostBy sums = new CostBy(computeUsd, idleUsd, provisioningUsd, dataUsd, otherUsd);
    computeUsd = 0;
    idleUsd = 0;
    provisioningUsd = 0;
    dataUsd = 0;
    otherUsd = 0;
    return sums;
  }

  /** Books what a lease was billed, all groups together, by cause. */
  void bill(double billedUsd, double bootUsd, double usedUsd) {
    // Billed seconds may be less than held ones by the sliver of a granule that is let off.
    double idle = Math.max(0, billedUsd - bootUsd - usedUsd);
    idleUsd += idle;
    provisioningUsd += bootUsd;
    computeUsd += billedUsd - bootUsd - idle;
  }
}
