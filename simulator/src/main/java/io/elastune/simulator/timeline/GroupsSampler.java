package io.elastune.simulator.timeline;

import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.List;

/**
 * Plays the chains of a plan, each with its faults on instances of its own. Where the trials of a
 * group before ran does not matter, and costs have no causes. Not thread-safe.
 */
public final class GroupsSampler {
  private final List<ChainSampler> chains;

  /** Creates a sampler of a plan. */
  public GroupsSampler(CompiledPlan plan) {
    chains =
        CompiledChain.of(plan).stream()
            .map(
                chain ->
                    new ChainSampler(
                        chain,
                        new CostTotals(plan.steps().length),
                        SamplingLimit.NONE.counter(),
                        plan.hasFaults()))
            .toList();
  }

  /** Plays a chain in a sample, and returns when its last group ended. */
  public double play(int chain, int sample) {
    return chains.get(chain).play(sample);
  }

  /** Returns the cost in USD of the instances of a chain in the sample that was played last. */
  public double usd(int chain) {
    return chains.get(chain).usd();
  }
}
