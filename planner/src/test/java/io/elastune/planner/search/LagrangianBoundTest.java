package io.elastune.planner.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.planner.BruteForce;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.ScoredPlans;
import io.elastune.planner.TestJobs;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.ParetoFront;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares the Lagrangian bound with the optimum of all plans of small jobs. */
class LagrangianBoundTest {
  private static final int JOBS = 40;
  private static final long EFFORT = 100_000_000;

  /** The bound relaxes increments and minimums of bills, and bounds the convex hull only. */
  private static final double MEAN_GAP = 0.3;

  private static final double EQUAL = 1e-7;

  @Test
  void boundForAllDeadlinesIsNeverAboveTheOptimum() {
    List<Double> gaps = new ArrayList<>();
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      MeanValueModel model = ScoredPlans.model(problem);
      LagrangianBound bound =
          new LagrangianBound(model, TimePrices.forAllDeadlines(model), EFFORT, () -> false);
      assertThat(bound.isSolved()).as("seed %d", seed).isTrue();
      for (BruteForce.SimulatedPlan optimum : BruteForce.front(problem).items()) {
        double leastUsd = bound.leastUsd(optimum.completionS());
        assertThat(leastUsd)
            .as("seed %d: %s", seed, TestJobs.text(optimum.plan()))
            .isLessThanOrEqualTo(optimum.costUsd() + EQUAL);
        gaps.add(1 - leastUsd / optimum.costUsd());
      }
    }
    assertThat(gaps.stream().mapToDouble(gap -> gap).average().orElseThrow()).isLessThan(MEAN_GAP);
  }

  @Test
  void boundForOneDeadlineIsNeverAboveTheOptimum() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      MeanValueModel model = ScoredPlans.model(problem);
      ParetoFront<ChainCandidate> known =
          ScoredPlans.front(ScoredPlans.all(model, problem.limits().maxInstances()));
      for (ChainCandidate optimum : known.items()) {
        double deadlineS = optimum.completionS();
        TimePrices prices = TimePrices.forDeadline(model, known, deadlineS);
        LagrangianBound bound =
            new LagrangianBound(model, prices, optimum.costUsd(), deadlineS, EFFORT, () -> false);
        assertThat(bound.leastUsd(deadlineS))
            .as("seed %d, deadline %s s", seed, deadlineS)
            .isLessThanOrEqualTo(optimum.costUsd() + EQUAL);
      }
    }
  }

  @Test
  void withoutEffortTheWorkAloneBoundsTheCost() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      MeanValueModel model = ScoredPlans.model(problem);
      LagrangianBound bound =
          new LagrangianBound(model, TimePrices.forAllDeadlines(model), 0, () -> false);
      LagrangianBound solved =
          new LagrangianBound(model, TimePrices.forAllDeadlines(model), EFFORT, () -> false);
      assertThat(bound.isSolved()).as("seed %d", seed).isFalse();
      for (BruteForce.SimulatedPlan optimum : BruteForce.front(problem).items()) {
        assertThat(bound.leastUsd(optimum.completionS()))
            .as("seed %d: %s", seed, TestJobs.text(optimum.plan()))
            .isLessThanOrEqualTo(solved.leastUsd(optimum.completionS()) + EQUAL);
      }
    }
  }
}
