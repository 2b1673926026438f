package io.elastune.simulator.instance;

import io.elastune.core.billing.Billing;
import io.elastune.core.estimate.CostBreakdown;
import java.util.Arrays;

/** Sums costs in USD: by group for the current sample, and by category over a block of samples. */
public final class CostTotals {
  // The categories.
  private static final int COMPUTE = 0;
  private static final int IDLE = 1;
  private static final int PROVISIONING = 2;
  private static final int DATA = 3;
  private static final int OTHER = 4;
  private static final int CATEGORIES = 5;

  /** Costs of the current sample, by the group's index in the workload. */
  public final double[] groupUsd;

  /** Costs of the current sample, by category. */
  private final double[] sampleUsd = new double[CATEGORIES];

  /** Costs of the samples that have ended since the last {@link #takeSums}, by category. */
  private final double[] sumUsd = new double[CATEGORIES];

  public CostTotals(int groups) {
    groupUsd = new double[groups];
  }

  /** Begins a sample, without costs; forgets one that has not ended. */
  public void beginSample() {
    Arrays.fill(groupUsd, 0);
    Arrays.fill(sampleUsd, 0);
  }

  /** Returns the costs of the current sample, with which others can continue. */
  public double[] ofSample() {
    double[] all = Arrays.copyOf(sampleUsd, CATEGORIES + groupUsd.length);
    System.arraycopy(groupUsd, 0, all, CATEGORIES, groupUsd.length);
    return all;
  }

  /** Sets the costs of the current sample. */
  public void continueWith(double[] ofSample) {
    System.arraycopy(ofSample, 0, sampleUsd, 0, CATEGORIES);
    System.arraycopy(ofSample, CATEGORIES, groupUsd, 0, groupUsd.length);
  }

  /** Adds the costs of the current sample to the sums. */
  public void endSample() {
    for (int category = 0; category < CATEGORIES; category++) {
      sumUsd[category] += sampleUsd[category];
    }
  }

  /** Returns the sums by category and resets them. */
  public CostBreakdown takeSums() {
    CostBreakdown sums =
        new CostBreakdown(
            sumUsd[COMPUTE], sumUsd[IDLE], sumUsd[PROVISIONING], sumUsd[DATA], sumUsd[OTHER]);
    Arrays.fill(sumUsd, 0);
    return sums;
  }

  /** Sets the sums by category to those of a block that continues. */
  public void resume(CostBreakdown sums) {
    sumUsd[COMPUTE] = sums.compute();
    sumUsd[IDLE] = sums.idle();
    sumUsd[PROVISIONING] = sums.provisioning();
    sumUsd[DATA] = sums.data();
    sumUsd[OTHER] = sums.other();
  }

  /** Adds the cost of data that an instance reads, for the group that requested it. */
  public void addData(int requester, double usd) {
    sampleUsd[DATA] += usd;
    groupUsd[requester] += usd;
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
    sampleUsd[OTHER] += rates.perUseUsd() + heldS * rates.diskUsdPerS();
    groupUsd[requester] += bootUsd + bootS * rates.diskUsdPerS() + rates.perUseUsd();
    groupUsd[releaser] += usd - bootUsd - bookedUsd;
  }

  /** Adds the bill of a lease over all groups, by category. */
  private void addBill(double billedUsd, double bootUsd, double usedUsd) {
    // Billed seconds can be less than held seconds by the ignored fraction of an increment.
    double idle = Math.max(0, billedUsd - bootUsd - usedUsd);
    sampleUsd[IDLE] += idle;
    sampleUsd[PROVISIONING] += bootUsd;
    sampleUsd[COMPUTE] += billedUsd - bootUsd - idle;
  }
}
