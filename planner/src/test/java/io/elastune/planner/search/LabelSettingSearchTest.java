package io.elastune.planner.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import io.elastune.planner.BruteForce;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.ScoredPlans;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.ParetoFront;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Compares exact label setting with all plans of small jobs. */
class LabelSettingSearchTest {
  private static final int JOBS = 40;
  private static final long EFFORT = 100_000_000;
  private static final double[] SLACKS = {1, 1.1, 1.5, 3};
  private static final double EQUAL = 1e-7;

  @Test
  void findsTheWholeFrontier() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      LabelSettingSearch.SearchGoal searchGoal =
          new LabelSettingSearch.SearchGoal(0, Double.POSITIVE_INFINITY, Integer.MAX_VALUE);
      List<ChainCandidate> found = search(problem, searchGoal).items();
      List<BruteForce.SimulatedPlan> optima = BruteForce.front(problem).items();

      assertThat(found).as("seed %d", seed).hasSameSizeAs(optima);
      for (int i = 0; i < found.size(); i++) {
        assertThat(found.get(i).completionS())
            .as("seed %d, point %d", seed, i)
            .isCloseTo(optima.get(i).completionS(), within(EQUAL));
        assertThat(found.get(i).costUsd())
            .as("seed %d, point %d", seed, i)
            .isCloseTo(optima.get(i).costUsd(), within(EQUAL));
      }
    }
  }

  @Test
  void findsTheCheapestPlanOfEachCapAndDeadline() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      MeanValueModel model = ScoredPlans.model(problem);
      for (int cap = 1; cap <= problem.limits().maxInstances(); cap++) {
        ParetoFront<ChainCandidate> optima = ScoredPlans.front(ScoredPlans.all(model, cap));
        for (double slack : optima.items().isEmpty() ? new double[0] : SLACKS) {
          double deadlineS = slack * optima.fastest().orElseThrow().completionS() + EQUAL;
          ParetoFront<ChainCandidate> found =
              search(problem, new LabelSettingSearch.SearchGoal(deadlineS, deadlineS, cap));
          assertThat(found.cheapestWithin(deadlineS).orElseThrow().costUsd())
              .as("seed %d, cap %d, slack %s", seed, cap, slack)
              .isCloseTo(optima.cheapestWithin(deadlineS).orElseThrow().costUsd(), within(EQUAL));
        }
      }
    }
  }

  @Test
  void stopsWhenTheEffortIsSpent() {
    long stopped =
        LongStream.range(0, JOBS)
            .mapToObj(RandomJobs::small)
            .filter(
                problem ->
                    !exact(problem, new ParetoFront<>(ChainCandidate.BY_ALLOCATIONS), 0).search())
            .count();
    assertThat(stopped).isEqualTo(JOBS);
  }

  private static ParetoFront<ChainCandidate> search(
      Problem problem, LabelSettingSearch.SearchGoal searchGoal) {
    ParetoFront<ChainCandidate> paretoFront = new ParetoFront<>(ChainCandidate.BY_ALLOCATIONS);
    MeanValueModel model = ScoredPlans.model(problem);
    LagrangianBound bound =
        new LagrangianBound(model, TimePrices.forAllDeadlines(model), EFFORT, () -> false);
    LabelSettingSearch labelSettingSearch =
        new LabelSettingSearch(model, bound, paretoFront, searchGoal, EFFORT, () -> false);
    assertThat(labelSettingSearch.search()).as("completed, seed %d", problem.seed()).isTrue();
    return paretoFront;
  }

  private static LabelSettingSearch exact(
      Problem problem, ParetoFront<ChainCandidate> paretoFront, long effort) {
    MeanValueModel model = ScoredPlans.model(problem);
    LagrangianBound bound =
        new LagrangianBound(model, TimePrices.forAllDeadlines(model), EFFORT, () -> false);
    LabelSettingSearch.SearchGoal searchGoal =
        new LabelSettingSearch.SearchGoal(0, Double.POSITIVE_INFINITY, Integer.MAX_VALUE);
    return new LabelSettingSearch(model, bound, paretoFront, searchGoal, effort, () -> false);
  }
}
