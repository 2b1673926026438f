package io.elastune.planner;

import java.util.Arrays;

/**
 * Instances dealt out to chains that share them, so that the sum of what the chains cost is least:
 * a knapsack.
 *
 * @param usd the least sum; infinite if there are too few instances
 * @param caps by chain, how many it may hold at once
 */
@SuppressWarnings("ArrayRecordComponent") // only read; nothing compares these
record Dealing(double usd, int[] caps) {
  /** What a chain costs on so many instances. */
  interface Cost {
    /** Dollars; infinite if it cannot do with so few. */
    double usd(int chain, int cap);
  }

  /** The best of all ways to deal {@code instances} out to {@code chains}. */
  static Dealing best(int chains, int instances, Cost cost) {
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
    return new Dealing(least[instances], caps);
  }
}
