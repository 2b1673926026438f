package io.elastune.simulator;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;

/**
 * Computes the spending guard of a plan whose job has no budget: an amount that fewer than 1 run of
 * 1,000 needs, by the prediction with the stated or the shipped fault rates.
 */
public final class GuardEstimator {
  /** Number of samples. */
  private static final int SAMPLES = 10_000;

  /**
   * Fraction of samples within the guard. It is below 1 of 1,000 by more than the sampling error.
   */
  private static final double WITHIN = 0.9995;

  /** Minimum guard as a multiple of the p95 cost, because a profile has errors, too. */
  private static final double MARGIN = 1.25;

  /** Seconds that trials have for their checkpoints before a run stops (docs/trial-protocol.md). */
  private static final double GRACE_S = 30;

  private static final double SECONDS_PER_HOUR = 3600;

  private GuardEstimator() {}

  /** Returns the spending guard of {@code plan} in USD. */
  public static double usd(Problem problem, Plan plan) {
    Simulator simulator = new Simulator(problem.withDefaultFaults(), SAMPLES);
    JointSamples samples = simulator.sample(plan);
    double needed = samples.safeBudgetUsd(WITHIN) + committedUsd(problem, plan);
    return Math.max(needed, MARGIN * samples.safeBudgetUsd(0.95));
  }

  /** Returns the highest committed cost: a run stops while it can still be paid. */
  private static double committedUsd(Problem problem, Plan plan) {
    double usd = 0;
    for (Chain chain : problem.workload().chains()) {
      usd +=
          chain.groups().stream()
              .mapToDouble(group -> committedUsd(problem, plan.of(group)))
              .max()
              .orElse(0);
    }
    return usd;
  }

  private static double committedUsd(Problem problem, Allocation allocation) {
    Offer offer = problem.offer(allocation.offer()).orElseThrow();
    double seconds = GRACE_S + offer.billing().granularityS() + offer.billing().minimumS();
    double perHour = offer.usdPerHour() + offer.diskUsdPerHour();
    double each = seconds / SECONDS_PER_HOUR * perHour + offer.billing().perUseUsd();
    return allocation.instances() * each;
  }
}
