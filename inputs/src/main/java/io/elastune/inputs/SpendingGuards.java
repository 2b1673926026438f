package io.elastune.inputs;

import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.GuardEstimator;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.Optional;
import java.util.OptionalDouble;

/** Decides which plans have a spending guard: those of jobs without a budget that cost money. */
public final class SpendingGuards {
  private SpendingGuards() {}

  /**
   * Returns the spending guard in USD; empty with a budget, and if nothing is charged. The guard of
   * a plan with spot capacity suffices for the same instances on demand, where the job allows them:
   * a run without spot capacity or without a quota for it continues there.
   *
   * @param known the samples of the prediction of the plan, if they are known
   */
  static OptionalDouble usd(
      Problem problem, Plan plan, Optional<JointSamples> known, SamplingProgress progress) {
    boolean charged =
        plan.allocations().values().stream()
            .flatMap(allocation -> problem.offer(allocation.offer()).stream())
            .anyMatch(offer -> offer.price() != PriceKind.NOTIONAL);
    return problem.limits().budgetUsd().isEmpty() && charged
        ? OptionalDouble.of(onAnyMarketUsd(problem, plan, known, progress))
        : OptionalDouble.empty();
  }

  private static double onAnyMarketUsd(
      Problem problem, Plan plan, Optional<JointSamples> known, SamplingProgress progress) {
    double own = sampledUsd(problem, plan, known, progress);
    return SpotComparison.onDemandPlan(problem, plan)
        .map(other -> Math.max(own, sampledUsd(problem, other, Optional.empty(), progress)))
        .orElse(own);
  }

  /** Returns the guard that a plan without a budget has, in USD, sampled on all processors. */
  public static double sampledUsd(Problem problem, Plan plan) {
    return sampledUsd(problem, plan, Optional.empty(), SamplingProgress.NONE);
  }

  private static double sampledUsd(
      Problem problem, Plan plan, Optional<JointSamples> known, SamplingProgress progress) {
    int threads = Runtime.getRuntime().availableProcessors();
    return GuardEstimator.usd(problem, plan, threads, known, progress);
  }
}
