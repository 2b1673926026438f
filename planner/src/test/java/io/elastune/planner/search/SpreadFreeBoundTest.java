package io.elastune.planner.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import io.elastune.planner.BruteForce;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.TestJobs;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.model.ParetoFront;
import org.junit.jupiter.api.Test;

/** Compares the bound for the job without spread with all plans of that job. */
class SpreadFreeBoundTest {
  private static final int JOBS = 40;
  private static final double[] SLACKS = {1, 1.1, 1.5, 3};
  private static final double EQUAL = 1e-7;

  @Test
  void equalsTheOptimumWithoutSpreadIfExact() {
    int exact = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      for (double slack : SLACKS) {
        Result result = bound(seed, slack, 1_000_000);
        exact += result.bound().exact() ? 1 : 0;
        if (result.bound().exact()) {
          assertThat(result.bound().leastUsd())
              .as("seed %d, slack %s", seed, slack)
              .isCloseTo(result.optimumUsd(), within(EQUAL));
        }
      }
    }
    assertThat(exact).isEqualTo(JOBS * SLACKS.length);
  }

  @Test
  void isNeverAboveTheOptimumWithoutSpread() {
    int inexact = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      for (double slack : SLACKS) {
        Result result = bound(seed, slack, 5);
        inexact += result.bound().exact() ? 0 : 1;
        assertThat(result.bound().leastUsd())
            .as("seed %d, slack %s", seed, slack)
            .isPositive()
            .isLessThanOrEqualTo(result.optimumUsd() + EQUAL);
      }
    }
    assertThat(inexact).isGreaterThan(JOBS);
  }

  private record Result(SpreadFreeBound bound, double optimumUsd) {}

  /** Bounds a job with spread by the same job without. */
  private static Result bound(long seed, double slack, long effort) {
    Problem still = RandomJobs.small(seed);
    ParetoFront<BruteForce.SimulatedPlan> optima = BruteForce.front(still);
    double deadlineS = slack * optima.fastest().orElseThrow().completionS() + EQUAL;
    JobSearch search = TestJobs.search(RandomJobs.withSpread(still, seed));
    return new Result(
        search.spreadFreeBound(deadlineS, effort),
        optima.cheapestWithin(deadlineS).orElseThrow().costUsd());
  }
}
