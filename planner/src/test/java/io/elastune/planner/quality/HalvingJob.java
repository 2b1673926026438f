package io.elastune.planner.quality;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * Compares the costs of one random job of successive halving without spread by several planning
 * methods.
 *
 * @param slack the deadline, as a multiple of the completion time of the fastest plan
 * @param gpus GPUs per instance; 0 if there are offers of several sizes
 * @param optimumUsd cost of the proven optimum
 * @param greedyUsd cost with {@code --planner greedy}
 * @param bestUsd cost with the default planner
 * @param literalUsd cost with {@link LiteralGreedy}; empty if no static cluster is feasible
 * @param naiveUsd cost of the naive elastic plan; empty if none is on time
 * @param staticUsd cost of the best static cluster; empty if none is on time
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

  /** Plans the job of a seed with every method. */
  static HalvingJob of(long seed) {
    Problem free = QualityJobs.halving(seed, false);
    double slack =
        LEAST_SLACK + (MOST_SLACK - LEAST_SLACK) * new SplittableRandom(~seed).nextDouble();
    Problem problem = QualityJobs.withDeadline(free, slack * PlannerCalls.fastestS(free));
    PlanResult.Found best = PlannerCalls.found(problem, Kind.BEST).orElseThrow();
    PlanResult.Found exact =
        best.optimum().proven() ? best : PlannerCalls.proven(problem).orElseThrow();
    if (!exact.optimum().proven()) {
      throw new AssertionError("not proven, seed " + seed + ": " + exact.remarks());
    }
    Baseline cluster = PlannerCalls.baseline(best, "static");
    return new HalvingJob(
        seed,
        slack,
        free.offers().size() == 1 ? free.offers().get(0).gpus() : 0,
        exact.optimum().costUsd(),
        usd(PlannerCalls.found(problem, Kind.GREEDY).orElseThrow()),
        usd(best),
        cluster.feasible()
            ? OptionalDouble.of(LiteralGreedy.costUsd(problem, cluster.plan().orElseThrow()))
            : OptionalDouble.empty(),
        usd(PlannerCalls.baseline(best, "naive-elastic")),
        usd(cluster));
  }

  private static double usd(PlanResult.Found found) {
    return found.estimate().costUsd().mean();
  }

  private static OptionalDouble usd(Baseline baseline) {
    return baseline.feasible() ? OptionalDouble.of(baseline.costUsd()) : OptionalDouble.empty();
  }

  /** Returns the excess of a cost over the optimum, as a fraction of the optimum. */
  double gap(double usd) {
    return usd / optimumUsd - 1;
  }

  /** Returns the cost of the best static cluster divided by that of the plan. */
  OptionalDouble savings() {
    return staticUsd.isPresent()
        ? OptionalDouble.of(staticUsd.getAsDouble() / bestUsd)
        : OptionalDouble.empty();
  }
}
