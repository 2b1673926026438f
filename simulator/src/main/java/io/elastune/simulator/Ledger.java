package io.elastune.simulator;

/** Dollars, by group in the sample under way and by cause over all samples. */
final class Ledger {
  /** Of the sample under way, by the group's index in the workload. */
  final double[] groupUsd;

  /** Sums over all samples. */
  double computeUsd;

  double idleUsd;
  double provisioningUsd;
  double dataUsd;
  double otherUsd;

  Ledger(int groups) {
    groupUsd = new double[groups];
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
