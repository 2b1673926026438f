package io.elastune.cli.input;

import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.GuardEstimator;
import io.elastune.simulator.SamplingProgress;
import java.util.OptionalDouble;

/** Decides which plans have a spending guard: those of jobs without a budget that cost money. */
public final class SpendingGuards {
  private SpendingGuards() {}

  /** Returns the spending guard in USD; empty with a budget, and if nothing is charged. */
  static OptionalDouble usd(Problem problem, Plan plan, SamplingProgress progress) {
    boolean charged =
        plan.allocations().values().stream()
            .flatMap(allocation -> problem.offer(allocation.offer()).stream())
            .anyMatch(offer -> offer.price() != PriceKind.NOTIONAL);
    return problem.limits().budgetUsd().isEmpty() && charged
        ? OptionalDouble.of(sampledUsd(problem, plan, progress))
        : OptionalDouble.empty();
  }

  /** Returns the guard that a plan without a budget has, in USD, sampled on all processors. */
  public static double sampledUsd(Problem problem, Plan plan) {
    return sampledUsd(problem, plan, SamplingProgress.NONE);
  }

  private static double sampledUsd(Problem problem, Plan plan, SamplingProgress progress) {
    int threads = Runtime.getRuntime().availableProcessors();
    return GuardEstimator.usd(problem, plan, threads, progress);
  }
}
