package io.elastune.planner.combine;

import java.util.Arrays;

/**
 * A split of shared instances among chains that minimizes the sum of their costs (a knapsack
 * problem).
 *
 * @param usd the least sum; infinite if there are too few instances
 * @param caps instances that each chain may hold at once
 */
@SuppressWarnings("ArrayRecordComponent") // only read; nothing compares these
record KnapsackAllocation(double usd, int[] caps) {
  /** The cost of a chain on a number of instances. */
  interface Cost {
    /** Returns dollars; infinite if the chain needs more instances. */
    double usd(int chain, int cap);
  }

  /** Returns the best split of {@code instances} among {@code chains}. */
  static KnapsackAllocation best(int chains, int instances, Cost cost) {
    double[] least = new double[instances + 1];
    int[][] chosen = new int[chains][instances + 1];
    for (int chain = 0; chain < chains; chain++) {
      double[] with = new double[instances + 1];
      Arrays.fill(with, Double.POSITIVE_INFINITY);
      for (int own = 1; own <= instances; own++) {
        double ownUsd = cost.usd(chain, own);
        for (int all = own; all <= instances; all++) {
          if (least[all - own] + ownUsd < with[all]) {
            with[all] = least[all - own] + ownUsd;
            chosen[chain][all] = own;
          }
        }
      }
      least = with;
    }
    int[] caps = new int[chains];
    int left = instances;
    for (int chain = chains - 1; chain >= 0; chain--) {
      caps[chain] = chosen[chain][left];
      left -= caps[chain];
    }
    return new KnapsackAllocation(least[instances], caps);
  }
}
