package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares exact searches of whole jobs with the enumeration of all plans. */
class BruteForceTest {
  private static final int JOBS = 240;
  private static final double EQUAL = 1e-7;

  @Test
  void exactFrontierIsThatOfAllPlans() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      List<BruteForce.Tried> tried = BruteForce.front(problem).items();
      List<Outline> exact = exactFrontier(problem, seed);

      assertThat(exact).as("points, seed %d", seed).hasSameSizeAs(tried);
      for (int i = 0; i < tried.size(); i++) {
        assertThat(exact.get(i).completionS())
            .as("completion, seed %d, point %d", seed, i)
            .isCloseTo(tried.get(i).completionS(), within(EQUAL));
        assertThat(exact.get(i).costUsd())
            .as("cost, seed %d, point %d: %s", seed, i, Jobs.text(tried.get(i).plan()))
            .isCloseTo(tried.get(i).costUsd(), within(EQUAL));
      }
    }
  }

  @Test
  void boundIsNeverAboveThePlans() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      JobSearch search = Jobs.search(problem);
      for (BruteForce.Tried tried : BruteForce.front(problem).items()) {
        assertThat(search.leastUsd(tried.completionS()))
            .as("seed %d: %s", seed, Jobs.text(tried.plan()))
            .isLessThanOrEqualTo(tried.costUsd() + EQUAL);
      }
    }
  }

  @Test
  void tiesSelectTheSamePlan() {
    for (long seed = 0; seed < JOBS / 2; seed++) {
      Problem problem = RandomJobs.small(seed);
      JobSearch search = Jobs.search(problem);
      search.exact(0, Double.POSITIVE_INFINITY, 100_000_000);
      assertThat(search.front(Double.POSITIVE_INFINITY).items())
          .as("seed %d", seed)
          .extracting(outline -> search.plan(outline, false))
          .isEqualTo(
              BruteForce.front(problem).items().stream().map(BruteForce.Tried::plan).toList());
    }
  }

  private static List<Outline> exactFrontier(Problem problem, long seed) {
    JobSearch search = Jobs.search(problem);
    search.exact(0, Double.POSITIVE_INFINITY, 100_000_000);
    assertThat(search.isExact(0)).as("exact, seed %d", seed).isTrue();
    return search.front(Double.POSITIVE_INFINITY).items();
  }
}
