package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.combine.JobSearch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares exact searches of whole jobs with the enumeration of all plans. */
class BruteForceTest {
  private static final int JOBS = Tier.runs(60, 240);
  private static final double EQUAL = 1e-7;

  @Test
  void exactFrontierIsThatOfAllPlans() {
    for (long seed = 0; seed < JOBS; seed++) {
      assertExactFrontier(RandomJobs.small(seed), seed);
    }
  }

  /** What a disk costs depends on how long an instance has been held, and not on its billing. */
  @Test
  void exactFrontierWithExpensiveDisksIsThatOfAllPlans() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      List<Offer> offers =
          problem.offers().stream()
              .map(one -> OfferBuilder.builder(one).diskUsdPerHour(one.usdPerHour()).build())
              .toList();
      assertExactFrontier(problem.with(offers, problem.profiles()), seed);
    }
  }

  private static void assertExactFrontier(Problem problem, long seed) {
    List<BruteForce.SimulatedPlan> simulatedPlan = BruteForce.front(problem).items();
    List<JobCandidate> exact = exactFrontier(problem, seed);

    assertThat(exact).as("points, seed %d", seed).hasSameSizeAs(simulatedPlan);
    for (int i = 0; i < simulatedPlan.size(); i++) {
      assertThat(exact.get(i).completionS())
          .as("completion, seed %d, point %d", seed, i)
          .isCloseTo(simulatedPlan.get(i).completionS(), within(EQUAL));
      assertThat(exact.get(i).costUsd())
          .as("cost, seed %d, point %d: %s", seed, i, TestJobs.text(simulatedPlan.get(i).plan()))
          .isCloseTo(simulatedPlan.get(i).costUsd(), within(EQUAL));
    }
  }

  @Test
  void boundIsNeverAboveThePlans() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      JobSearch search = TestJobs.search(problem);
      for (BruteForce.SimulatedPlan simulatedPlan : BruteForce.front(problem).items()) {
        assertThat(search.leastUsd(simulatedPlan.completionS()))
            .as("seed %d: %s", seed, TestJobs.text(simulatedPlan.plan()))
            .isLessThanOrEqualTo(simulatedPlan.costUsd() + EQUAL);
      }
    }
  }

  @Test
  void tiesSelectTheSamePlan() {
    for (long seed = 0; seed < JOBS / 2; seed++) {
      Problem problem = RandomJobs.small(seed);
      JobSearch search = TestJobs.search(problem);
      search.searchExactly(0, Double.POSITIVE_INFINITY, 100_000_000);
      assertThat(search.front(Double.POSITIVE_INFINITY).items())
          .as("seed %d", seed)
          .extracting(jobCandidate -> search.plan(jobCandidate, false))
          .isEqualTo(
              BruteForce.front(problem).items().stream()
                  .map(BruteForce.SimulatedPlan::plan)
                  .toList());
    }
  }

  private static List<JobCandidate> exactFrontier(Problem problem, long seed) {
    JobSearch search = TestJobs.search(problem);
    search.searchExactly(0, Double.POSITIVE_INFINITY, 100_000_000);
    assertThat(search.isExact(0)).as("exact, seed %d", seed).isTrue();
    return search.front(Double.POSITIVE_INFINITY).items();
  }
}
