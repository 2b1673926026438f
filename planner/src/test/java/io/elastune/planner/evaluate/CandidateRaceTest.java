package io.elastune.planner.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.BruteForce;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.TestJobs;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares the race of candidates with an evaluation of all of them. */
class CandidateRaceTest {
  private static final int JOBS = 40;
  private static final int VARIED_JOBS = 24;
  private static final double[] SLACKS = {1, 1.05, 1.2, 1.5, 2, 4};

  /** The race may stop at a candidate that costs more than the best one by this part. */
  private static final double GAP = 0.05;

  private static final double EQUAL = 1e-7;

  @Test
  void withoutSpreadTheCheapestPlanOnTimeWins() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem free = RandomJobs.small(seed);
      ParetoFront<BruteForce.SimulatedPlan> paretoFront = BruteForce.front(free);
      for (double slack : SLACKS) {
        double deadlineS = slack * paretoFront.fastest().orElseThrow().completionS() + EQUAL;
        PlanEvaluator planEvaluator = judge(TestJobs.withDeadline(free, deadlineS));
        List<Plan> plans = cheapestFirst(paretoFront);
        for (int guess = 0; guess <= plans.size(); guess += 1 + plans.size() / 3) {
          assertThat(race(planEvaluator, plans, guess))
              .as("seed %d, slack %s, guess %d", seed, slack, guess)
              .hasValueSatisfying(
                  best ->
                      assertThat(best.costUsd())
                          .isCloseTo(
                              paretoFront.cheapestWithin(deadlineS).orElseThrow().costUsd(),
                              within(EQUAL)));
        }
      }
    }
  }

  @Test
  void withSpreadTheWinnerIsNearTheLeastCost() {
    int found = 0;
    for (long seed = 0; seed < VARIED_JOBS; seed++) {
      Problem still = RandomJobs.small(seed);
      ParetoFront<BruteForce.SimulatedPlan> paretoFront = BruteForce.front(still);
      for (double slack : SLACKS) {
        double deadlineS = slack * paretoFront.fastest().orElseThrow().completionS();
        PlanEvaluator planEvaluator =
            judge(TestJobs.withDeadline(RandomJobs.withSpread(still, seed), deadlineS));
        List<Plan> plans = cheapestFirst(paretoFront);
        Optional<Evaluation> winner = race(planEvaluator, plans, plans.size() / 2);
        double leastUsd =
            plans.stream()
                .map(planEvaluator::evaluateForComparison)
                .filter(planEvaluator::meetsAllLimits)
                .mapToDouble(Evaluation::costUsd)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        String job = "seed " + seed + ", slack " + slack;

        assertThat(winner.isPresent()).as(job).isEqualTo(leastUsd < Double.POSITIVE_INFINITY);
        if (winner.isPresent()) {
          found++;
          assertThat(planEvaluator.meetsAllLimits(winner.get())).as(job).isTrue();
          assertThat(winner.get().costUsd())
              .as(job)
              .isBetween(leastUsd - EQUAL, leastUsd * (1 + GAP));
        }
      }
    }
    assertThat(found).isGreaterThan(2 * VARIED_JOBS);
  }

  private static Optional<Evaluation> race(
      PlanEvaluator planEvaluator, List<Plan> plans, int guess) {
    return new CandidateRace(planEvaluator, SearchParameters.DEFAULT.race())
        .best(plans, guess, planEvaluator.deadline(), planEvaluator.allLimits(), Objective.CHEAPER);
  }

  private static List<Plan> cheapestFirst(ParetoFront<BruteForce.SimulatedPlan> paretoFront) {
    List<Plan> plans =
        new ArrayList<>(paretoFront.items().stream().map(BruteForce.SimulatedPlan::plan).toList());
    Collections.reverse(plans);
    return plans;
  }

  private static PlanEvaluator judge(Problem problem) {
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.BEST, 1_000, 0);
    return new PlanEvaluator(TestJobs.inputs(problem, options, false));
  }
}
