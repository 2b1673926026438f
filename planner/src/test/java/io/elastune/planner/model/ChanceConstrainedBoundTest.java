package io.elastune.planner.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.planner.BruteForce;
import io.elastune.planner.Planner;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.TestJobs;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.combine.JobSearch;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Compares the bound for jobs with spread with sampling of all plans. */
class ChanceConstrainedBoundTest {
  private static final int JOBS = Tier.runs(10, 40);
  private static final int SAMPLES = 250;

  /** Sampling error of the mean and the 95th percentile, as a part of them. */
  private static final double SAMPLING = 0.02;

  @Test
  void noPlanOnTimeCostsLess() {
    int plans = 0;
    int aboveTheWork = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem still = RandomJobs.small(seed);
      if (still.workload().groups().size() > 2) {
        continue; // There are too many plans to sample.
      }
      Problem problem = RandomJobs.withSpread(still, seed);
      Simulator simulator = new Simulator(problem, SAMPLES);
      JobSearch search = TestJobs.search(problem);
      for (Plan plan : BruteForce.plans(problem)) {
        JointSamples jointSamples = simulator.sample(plan);
        double deadlineS = jointSamples.safeDeadlineS(problem.limits().confidence());
        double costUsd = Arrays.stream(jointSamples.costUsd()).average().orElseThrow();
        double boundUsd = search.chanceConstrainedLeastUsd(deadlineS * (1 + SAMPLING));
        assertThat(boundUsd)
            .as("seed %d: %s", seed, TestJobs.text(plan))
            .isLessThan(costUsd * (1 + SAMPLING));
        aboveTheWork += boundUsd > search.workUsd() * (1 + SAMPLING) ? 1 : 0;
        plans++;
      }
    }
    assertThat(plans).isGreaterThan(25 * JOBS);
    assertThat(aboveTheWork).as("bounds above the cost of the work").isPositive();
  }

  @Test
  void isTheSameIfTheSearchEndsEarly() {
    Problem problem = TestJobs.workedExampleWithSpread(TestJobs.deadline(230, 8));
    Optimum thorough = TestJobs.found(problem, PlannerOptions.Kind.BEST).optimum();
    PlanResult cut = new Planner(problem, PlannerOptions.DEFAULT, () -> true).plan();

    assertThat(cut)
        .isInstanceOfSatisfying(
            PlanResult.Found.class,
            found -> assertThat(found.optimum().boundUsd()).isEqualTo(thorough.boundUsd()));
    assertThat(thorough.proven()).isFalse();
    assertThat(thorough.guide()).isTrue();
  }

  @Test
  void withoutADeadlineIsTheCostOfTheWork() {
    Problem problem = TestJobs.workedExampleWithSpread(TestJobs.deadline(230, 8));
    JobSearch search = TestJobs.search(problem);

    assertThat(search.chanceConstrainedLeastUsd(Double.POSITIVE_INFINITY))
        .isEqualTo(search.workUsd());
    assertThat(search.chanceConstrainedLeastUsd(230)).isGreaterThan(search.workUsd());
    assertThat(search.chanceConstrainedLeastUsd(230))
        .isGreaterThan(search.chanceConstrainedLeastUsd(300));
  }
}
