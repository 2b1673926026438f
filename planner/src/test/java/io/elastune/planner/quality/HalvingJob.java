package io.elastune.planner.quality;

import io.elastune.core.plan.Problem;
import io.elastune.planner.Baseline;
import io.elastune.planner.PlanResult;
import io.elastune.planner.PlannerOptions.Kind;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * What one random job of successive halving, in which nothing varies, costs by every way of
 * planning.
 *
 * @param slack its deadline, as a multiple of the time of the fastest plan
 * @param gpus GPUs per instance; 0 where instances of several sizes are offered
 * @param optimumUsd what the proven optimum costs
 * @param greedyUsd greedy alone, as {@code --planner greedy} shows it
 * @param bestUsd what is shown without {@code --planner}
 * @param literalUsd {@link LiteralGreedy}; empty where there is no feasible static cluster
 * @param naiveUsd GPUs per trial fixed, instances released in step; empty where none is on time
 * @param staticUsd the best static cluster; empty where none is on time
 */
record HalvingJob(
    long seed,
    double slack,
    int gpus,
    double optimumUsd,
    double greedyUsd,
    double bestUsd,
    OptionalDouble literalUsd,
    OptionalDouble naiveUsd,
    OptionalDouble staticUsd) {
  private static final double LEAST_SLACK = 1.05;
  private static final double MOST_SLACK = 5;

  /** Plans the job of that seed in every way. */
  static HalvingJob of(long seed) {
    Problem free = JobMaker.halving(seed, false);
    double slack =
        LEAST_SLACK + (MOST_SLACK - LEAST_SLACK) * new SplittableRandom(~seed).nextDouble();
    Problem problem = JobMaker.due(free, slack * Answers.fastestS(free));
    PlanResult.Found best = Answers.found(problem, Kind.BEST).orElseThrow();
    PlanResult.Found exact = best.optimum().proven() ? best : Answers.proven(problem).orElseThrow();
    if (!exact.optimum().proven()) {
      throw new AssertionError("not proven, seed " + seed + ": " + exact.remarks());
    }
    Baseline cluster = Answers.baseline(best, "static");
    return new HalvingJob(
        seed,
        slack,
        free.offers().size() == 1 ? free.offers().get(0).gpus() : 0,
        exact.optimum().costUsd(),
        usd(Answers.found(problem, Kind.GREEDY).orElseThrow()),
        usd(best),
        cluster.feasible()
            ? OptionalDouble.of(LiteralGreedy.costUsd(problem, cluster.plan().orElseThrow()))
            : OptionalDouble.empty(),
        usd(Answers.baseline(best, "naive-elastic")),
        usd(cluster));
  }

  private static double usd(PlanResult.Found found) {
    return found.estimate().costUsd().mean();
  }

  private static OptionalDouble usd(Baseline baseline) {
    return baseline.feasible() ? OptionalDouble.of(baseline.costUsd()) : OptionalDouble.empty();
  }

  /** A cost above the optimum, as a fraction of it. */
  double gap(double usd) {
    return usd / optimumUsd - 1;
  }

  /** How many times the cost of the plan shown the best static cluster costs. */
  OptionalDouble savings() {
    return staticUsd.isPresent()
        ? OptionalDouble.of(staticUsd.getAsDouble() / bestUsd)
        : OptionalDouble.empty();
  }
}
