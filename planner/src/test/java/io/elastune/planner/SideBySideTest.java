package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Chains side by side, which share instances and the controller, against every plan there is. */
class SideBySideTest {
  private static final int JOBS = 30;
  private static final double[] SLACKS = {1, 1.1, 1.4, 2, 4};
  private static final double EQUAL = 1e-7;

  /** The join of chains is no exact search: so much dearer a plan may be, and all on average. */
  private static final double WORST_GAP = 0.03;

  private static final double MEAN_GAP = 0.002;

  @Test
  void plansAreCloseToTheOptimumAndNoBoundIsAboveIt() {
    List<Double> gaps = new ArrayList<>();
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = job(seed);
      Front<BruteForce.Tried> all = BruteForce.front(problem);
      double fastestS = all.fastest().orElseThrow().completionS();
      for (double slack : SLACKS) {
        double deadlineS = slack * fastestS + EQUAL;
        double optimumUsd = all.cheapestBy(deadlineS).orElseThrow().costUsd();
        int most = problem.limits().maxInstances();
        PlanResult.Found found =
            Jobs.found(
                problem.withLimits(Jobs.deadline(deadlineS, most)), PlannerOptions.Kind.BEST);
        double gap = found.estimate().costUsd().mean() / optimumUsd - 1;
        String job = "seed " + seed + ", slack " + slack;

        assertThat(found.optimum().costUsd()).as(job).isLessThan(optimumUsd + EQUAL);
        assertThat(gap).as(job).isBetween(-EQUAL, found.optimum().proven() ? EQUAL : WORST_GAP);
        gaps.add(gap);
      }
    }
    assertThat(gaps.stream().mapToDouble(Double::doubleValue).average().orElseThrow())
        .isLessThan(MEAN_GAP);
  }

  /** Two chains, of two groups and of one, on at most four instances of one offer. */
  private static Problem job(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Problem like = RandomJobs.small(seed);
    Workload workload =
        new Workload(
            List.of(
                Jobs.chain(
                    "a",
                    2 + random.nextInt(6),
                    1 + random.nextInt(3),
                    1 + random.nextInt(3),
                    1 + random.nextInt(4)),
                Jobs.chain("b", 1 + random.nextInt(5), 1 + random.nextInt(5))));
    return new Problem(
        workload,
        like.offers().subList(0, 1),
        like.profiles(),
        like.gpusPerTrial(),
        Jobs.deadline(1e9, 2 + random.nextInt(3)),
        like.running(),
        seed);
  }
}
