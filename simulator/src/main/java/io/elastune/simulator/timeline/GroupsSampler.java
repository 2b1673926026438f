package io.elastune.simulator.timeline;

import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.List;

/**
 * Plays the chains of a plan, each with its faults on instances of its own. Costs have no causes.
 * Not thread-safe.
 */
public final class GroupsSampler {
  private final List<ChainSampler> chains;

  /** Creates a sampler of a plan in which it does not matter where trials ran. */
  public GroupsSampler(CompiledPlan plan) {
    this(plan, CompiledChain.of(plan));
  }

  GroupsSampler(CompiledPlan plan, List<CompiledChain> compiled) {
    chains =
        compiled.stream()
            .map(
                chain ->
                    new ChainSampler(
                        chain,
                        new CostTotals(plan.steps().length),
                        SamplingLimit.NONE.counter(),
                        plan.hasFaults()))
            .toList();
  }

  /** Lets a chain begin after a group that was trained before. */
  void beginsAfter(int chain, GroupBefore group) {
    chains.get(chain).beginsAfter(group);
  }

  /** Plays a chain in a sample, and returns when its last group ended. */
  public double play(int chain, int sample) {
    return chains.get(chain).play(sample);
  }

  /**
   * Plays a chain of a run in progress in a sample, and returns when its last group ended.
   *
   * @param fromS when it begins, in seconds from the start of the run
   */
  double playFrom(double fromS, int chain, int sample) {
    chains.get(chain).beginsAt(fromS);
    return fromS + play(chain, sample);
  }

  /** Returns the cost in USD of the instances of a chain in the sample that was played last. */
  public double usd(int chain) {
    return chains.get(chain).usd();
  }
}
