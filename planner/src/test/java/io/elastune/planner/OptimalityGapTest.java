package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.result.OptimalityGap;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Compares the bounds of a result with the optimum of all plans of small jobs. */
class OptimalityGapTest {
  private static final int JOBS = 20;
  private static final long[] EFFORTS = {0, 200, 10_000_000};
  private static final double[] SLACKS = {1, 1.1, 3};
  private static final double EQUAL = 1e-7;

  @Test
  void boundOfTheCostIsNeverAboveTheOptimum() {
    int proven = 0;
    int unproven = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem free = RandomJobs.small(seed);
      ParetoFront<BruteForce.SimulatedPlan> optima = BruteForce.front(free);
      for (double slack : SLACKS) {
        double deadlineS = slack * optima.fastest().orElseThrow().completionS() + EQUAL;
        double optimumUsd = optima.cheapestWithin(deadlineS).orElseThrow().costUsd();
        for (long effort : EFFORTS) {
          BoundedProblem boundedProblem =
              new BoundedProblem(TestJobs.withDeadline(free, deadlineS), effort);
          String name = "seed " + seed + ", slack " + slack + ", effort " + effort;
          if (boundedProblem.best.isEmpty()) {
            continue;
          }
          Optimum optimum = boundedProblem.optimalityGap.of(boundedProblem.best.get()).optimum();

          assertThat(optimum.boundUsd()).as(name).isLessThanOrEqualTo(optimumUsd + EQUAL);
          assertThat(optimum.gap())
              .as(name)
              .isCloseTo(
                  boundedProblem.best.get().costUsd() / optimum.costUsd() - 1, within(EQUAL));
          if (optimum.proven()) {
            assertThat(optimum.costUsd()).as(name).isCloseTo(optimumUsd, within(EQUAL));
          }
          proven += optimum.proven() ? 1 : 0;
          unproven += optimum.proven() ? 0 : 1;
        }
      }
    }
    assertThat(proven).isGreaterThan(JOBS);
    assertThat(unproven).isGreaterThan(JOBS);
  }

  @Test
  void withoutADeadlineTheGapBoundsTheTime() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem free = RandomJobs.small(seed);
      ParetoFront<BruteForce.SimulatedPlan> optima = BruteForce.front(free);
      double budgetUsd = 1.3 * optima.items().get(optima.items().size() - 1).costUsd();
      double leastS =
          optima.items().stream()
              .filter(simulatedPlan -> simulatedPlan.costUsd() <= budgetUsd)
              .findFirst()
              .orElseThrow()
              .completionS();
      Limits limits = free.limits().within(OptionalDouble.empty(), OptionalDouble.of(budgetUsd));
      for (long effort : EFFORTS) {
        BoundedProblem boundedProblem = new BoundedProblem(free.withLimits(limits), effort);
        if (boundedProblem.best.isPresent()) {
          double gap = boundedProblem.optimalityGap.of(boundedProblem.best.get()).optimum().gap();
          assertThat(boundedProblem.best.get().completionS() / (1 + gap))
              .as("seed %d, effort %d", seed, effort)
              .isLessThanOrEqualTo(leastS + EQUAL);
        }
      }
    }
  }

  /** A job, the best of the static and fastest plans, and its bounds. */
  private static final class BoundedProblem {
    private final Optional<Evaluation> best;
    private final OptimalityGap optimalityGap;

    BoundedProblem(Problem problem, long effort) {
      PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.BEST, 1_000, effort);
      PlannerInputs inputs = TestJobs.inputs(problem, options, false);
      PlanEvaluator planEvaluator = new PlanEvaluator(inputs);
      PlanSelector planSelector = new PlanSelector(inputs, planEvaluator);
      JobSearch search = TestJobs.search(problem);
      search.hasten();
      CandidateSet candidates =
          CandidateSet.of(
              search.front(Double.POSITIVE_INFINITY),
              jobCandidate -> search.plan(jobCandidate, false),
              problem.limits());
      best = planSelector.best(candidates);
      optimalityGap = new OptimalityGap(inputs, ChoiceSet.of(problem), search, planSelector);
    }
  }
}
