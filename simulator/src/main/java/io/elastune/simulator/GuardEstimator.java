package io.elastune.simulator;

import io.elastune.core.billing.Billing;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.Optional;

/**
 * Computes the spending guard of a plan whose job has no budget: an amount that fewer than 1 run of
 * 1,000 needs, by the prediction with the stated or the shipped fault rates.
 *
 * <p>The amount is an upper confidence bound of the quantile, valid for every distribution. Plans
 * are sampled until the bound is close to the quantile, or does not matter because the minimum
 * guard is higher; large jobs get only as many samples as the bound requires.
 */
public final class GuardEstimator {
  /** Minimum guard as a multiple of the p95 cost, because a profile has errors, too. */
  static final double MARGIN = 1.25;

  /** Seconds that trials have for their checkpoints before a run stops (docs/trial-protocol.md). */
  private static final double GRACE_S = 30;

  private GuardEstimator() {}

  /** Returns the spending guard of {@code plan} in USD, as below. */
  public static double usd(Problem problem, Plan plan, int threads) {
    return usd(problem, plan, threads, SamplingProgress.NONE);
  }

  /**
   * Returns the spending guard of {@code plan} in USD.
   *
   * @param threads threads on which the plan is sampled; the result does not depend on it
   * @param progress receives the samples of all blocks
   */
  public static double usd(Problem problem, Plan plan, int threads, SamplingProgress progress) {
    return usd(problem, plan, threads, Optional.empty(), progress);
  }

  /**
   * Returns the spending guard of {@code plan} in USD, which is the same with known samples and
   * without.
   *
   * @param known samples of the plan from the random streams of the problem, which need not be
   *     drawn again
   */
  public static double usd(
      Problem problem,
      Plan plan,
      int threads,
      Optional<JointSamples> known,
      SamplingProgress progress) {
    double committedUsd = committedUsd(problem, plan);
    Problem withFaults = problem.withDefaultFaults();
    GuardSampling.Tail tail =
        new GuardSampling(withFaults, plan, threads, progress)
            .startingWith(known.filter(of -> withFaults.equals(problem)))
            .tail(committedUsd, MARGIN);
    return Math.max(tail.upperUsd() + committedUsd, MARGIN * tail.p95Usd());
  }

  /** Returns the highest committed cost: a run stops while it can still be paid. */
  static double committedUsd(Problem problem, Plan plan) {
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
    double each = seconds / Billing.SECONDS_PER_HOUR * perHour + offer.billing().perUseUsd();
    return allocation.instances() * each;
  }
}
