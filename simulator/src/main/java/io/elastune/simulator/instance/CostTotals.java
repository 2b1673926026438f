package io.elastune.simulator.instance;

import io.elastune.core.billing.Billing;
import io.elastune.core.estimate.CostBreakdown;
import java.util.Arrays;

/** Sums costs in USD: by group for the current sample, and by category over a block of samples. */
public final class CostTotals {
  /** Costs of the current sample, by the group's index in the workload. */
  public final double[] groupUsd;

  /** Sums over the samples since the last {@link #takeSums}. */
  double computeUsd;

  double idleUsd;
  double provisioningUsd;
  public double dataUsd;
  double otherUsd;

  public CostTotals(int groups) {
    groupUsd = new double[groups];
  }

  /** Returns the sums by category and resets them. */
  public CostBreakdown takeSums() {
    CostBreakdown sums = new CostBreakdown(computeUsd, idleUsd, provisioningUsd, dataUsd, otherUsd);
    computeUsd = 0;
    idleUsd = 0;
    provisioningUsd = 0;
    dataUsd = 0;
    otherUsd = 0;
    return sums;
  }

  /** Sets the sums by category to those of a block that continues. */
  public void resume(CostBreakdown sums) {
    computeUsd = sums.compute();
    idleUsd = sums.idle();
    provisioningUsd = sums.provisioning();
    dataUsd = sums.data();
    otherUsd = sums.other();
  }

  /** Returns the sums by category, which {@link #restore} takes back. */
  public double[] sums() {
    return new double[] {computeUsd, idleUsd, provisioningUsd, dataUsd, otherUsd};
  }

  /** Sets the sums by category to an earlier state, and the costs by group to 0. */
  public void restore(double[] sums) {
    computeUsd = sums[0];
    idleUsd = sums[1];
    provisioningUsd = sums[2];
    dataUsd = sums[3];
    otherUsd = sums[4];
    Arrays.fill(groupUsd, 0);
  }

  /**
   * Adds the final bill of a lease. The boot is attributed to the group that requested it, rounding
   * and minimum to the one that releases it.
   *
   * @param readyS when it was ready, or would have been
   * @param usedS seconds in which a trial ran on it
   * @param busyS the same, weighted by the fraction of its GPUs in use
   * @param bookedUsd the cost that was attributed to groups before
   */
  public void bill(
      OfferRates rates,
      int requester,
      int releaser,
      double runningS,
      double readyS,
      double releasedS,
      double usedS,
      double busyS,
      double bookedUsd) {
    if (!Billing.reachedRunning(runningS, releasedS)) {
      return;
    }
    double heldS = releasedS - runningS;
    double bootS = Math.min(readyS, releasedS) - runningS;
    double countedS = rates.useOnly() ? usedS : heldS;
    double usd = Billing.billedSeconds(rates.terms(), countedS) * rates.usdPerS();
    double bootUsd = rates.useOnly() ? 0 : bootS * rates.usdPerS();
    addBill(usd, bootUsd, (rates.useOnly() ? usedS : busyS) * rates.usdPerS());
    otherUsd += rates.perUseUsd() + heldS * rates.diskUsdPerS();
    groupUsd[requester] += bootUsd + bootS * rates.diskUsdPerS() + rates.perUseUsd();
    groupUsd[releaser] += usd - bootUsd - bookedUsd;
  }

  /** Adds the bill of a lease over all groups, by category. */
  private void addBill(double billedUsd, double bootUsd, double usedUsd) {
    // Billed seconds can be less than held seconds by the ignored fraction of an increment.
    double idle = Math.max(0, billedUsd - bootUsd - usedUsd);
    idleUsd += idle;
    provisioningUsd += bootUsd;
    computeUsd += billedUsd - bootUsd - idle;
  }
}
