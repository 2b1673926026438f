package io.elastune.simulator.timeline;

import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.sample.BlockSampler;
import io.elastune.simulator.sample.Outcome;
import java.util.Arrays;
import java.util.List;

/** Plays chains of trial groups, each on instances of its own, block by block. */
final class ChainsSampler implements BlockSampler {
  private final List<ChainSampler> chains;
  private final CostTotals totals;
  private final int groups;

  /**
   * @param totals the costs of all chains
   */
  ChainsSampler(List<ChainSampler> chains, CostTotals totals) {
    this.chains = List.copyOf(chains);
    this.totals = totals;
    groups = totals.groupUsd.length;
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, totals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    double[] endS = new double[groups];
    double[] groupUsd = new double[groups];
    double targetS = play(sample, Double.POSITIVE_INFINITY, endS, groupUsd);
    if (chains.size() > 1 && targetS < Double.POSITIVE_INFINITY) {
      // The first trial that reaches the target ends all chains.
      totals.beginSample();
      Arrays.fill(groupUsd, 0);
      var unused = play(sample, targetS, endS, groupUsd);
    }
    outcome.add(sample, endS, groupUsd);
  }

  /** Plays all chains, and returns when the first trial reaches the target; infinite if none. */
  private double play(int sample, double untilS, double[] endS, double[] groupUsd) {
    double targetS = Double.POSITIVE_INFINITY;
    for (ChainSampler chain : chains) {
      chain.endsAt(untilS);
      double chainEndS = chain.play(sample);
      chain.addTo(endS, groupUsd);
      targetS = chain.wasEnded() ? Math.min(targetS, chainEndS) : targetS;
    }
    return targetS;
  }
}
