package io.elastune.simulator;

import io.elastune.core.billing.Billing;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.random.RandomStreams;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Computes the spending guard of a plan whose job has no budget: an amount that fewer than 1 run of
 * 1,000 needs, by the prediction with the stated or the shipped fault rates.
 *
 * <p>The amount is an upper confidence bound of the quantile, so it does not depend on a few
 * extreme samples: plans are sampled until both bounds of the quantile are close together. Plans of
 * fixed clusters under a policy are the exception: their bound is the highest of few samples.
 * Faults that a prediction omits are added so that their cost is an upper limit.
 */
public final class GuardEstimator {
  /** Samples of one block; each block has its own random numbers. */
  private static final int BLOCK = 10_000;

  /**
   * Samples of a fixed cluster that a policy divides, whose events are played one by one. They are
   * just enough for the upper bound; the cost of such a cluster varies little.
   */
  private static final int POLICY_BLOCK = 3_000;

  /** Fraction of runs that may need more than the guard. */
  private static final double BEYOND = 0.001;

  /** Confidence of the upper bound, and of the lower bound that decides whether both are close. */
  private static final double CONFIDENCE = 0.95;

  /** Distance of the bounds, as a part of the guard, at which no more samples are drawn. */
  private static final double CLOSE = 0.03;

  private static final int MOST_BLOCKS = 12;

  /** Trials to simulate at most: jobs of many trials get fewer samples. */
  private static final double MOST_TRIALS = 60e6;

  /** Minimum guard as a multiple of the p95 cost, because a profile has errors, too. */
  private static final double MARGIN = 1.25;

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
    double[] costUsd = costUsd(problem.withDefaultFaults(), plan, threads, progress);
    double needed = TailBound.of(costUsd, BEYOND, CONFIDENCE).upper() + committedUsd(problem, plan);
    return Math.max(needed, MARGIN * costUsd[(int) Math.ceil(0.95 * (costUsd.length - 1))]);
  }

  /** Returns samples of the cost in ascending order, as many as the tail needs. */
  private static double[] costUsd(
      Problem problem, Plan plan, int threads, SamplingProgress progress) {
    if (problem.policy().choosesSizes()) {
      IntConsumer played = samples -> progress.sampled(samples, POLICY_BLOCK);
      double[] few = costUsd(reseeded(problem, 0), plan, POLICY_BLOCK, threads, played);
      Arrays.sort(few);
      return few;
    }
    long trials = problem.workload().groups().stream().mapToLong(TrialGroup::trials).sum();
    int most = (int) Math.max(1, Math.min(MOST_BLOCKS, MOST_TRIALS / trials / BLOCK));
    double[] all = {};
    for (int block = 0; block < most; block++) {
      int before = all.length;
      IntConsumer played = samples -> progress.sampled(before + samples, most * BLOCK);
      double[] more = costUsd(reseeded(problem, block), plan, BLOCK, threads, played);
      all = Arrays.copyOf(all, before + more.length);
      System.arraycopy(more, 0, all, before, more.length);
      Arrays.sort(all);
      boolean varies = more.length == BLOCK;
      if (!varies || TailBound.of(all, BEYOND, CONFIDENCE).relativeWidth() <= CLOSE) {
        return all;
      }
    }
    return all;
  }

  private static double[] costUsd(
      Problem problem, Plan plan, int samples, int threads, IntConsumer played) {
    JointSamples joint = new Simulator(problem, samples, threads).sample(plan, played);
    return problem.omitsFaults()
        ? new OmittedFaults(problem, plan).costUsd(joint)
        : joint.costUsd();
  }

  private static Problem reseeded(Problem problem, int block) {
    return problem.withSeed(
        RandomStreams.of(problem.seed()).at("guard").at(block).open().nextLong());
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
    double each = seconds / Billing.SECONDS_PER_HOUR * perHour + offer.billing().perUseUsd();
    return allocation.instances() * each;
  }
}
