package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares the race of candidates with an evaluation of all of them. */
class SettlerTest {
  private static final int JOBS = 40;
  private static final int VARIED_JOBS = 24;
  private static final double[] SLACKS = {1, 1.05, 1.2, 1.5, 2, 4};

  /** The race may stop at a candidate that costs more than the best one by this part. */
  private static final double GAP = 0.05;

  private static final double EQUAL = 1e-7;

  @Test
  void borderIsTheFirstPlanThatMeetsTheLimit() {
    for (int size = 0; size <= 20; size++) {
      List<Plan> plans =
          IntStream.range(0, size)
              .mapToObj(i -> new Plan(false, Map.of("1", new Allocation("offer", i + 1, 1, 1))))
              .toList();
      for (int first = 0; first <= size; first++) {
        int from = first;
        for (int guess = 0; guess <= size; guess++) {
          assertThat(Settler.border(plans, guess, plan -> plans.indexOf(plan) >= from))
              .as("first %d of %d, guess %d", first, size, guess)
              .isEqualTo(first);
        }
      }
    }
  }

  @Test
  void withoutSpreadTheCheapestPlanOnTimeWins() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem free = RandomJobs.small(seed);
      Front<BruteForce.Tried> front = BruteForce.front(free);
      for (double slack : SLACKS) {
        double deadlineS = slack * front.fastest().orElseThrow().completionS() + EQUAL;
        Judge judge = judge(Jobs.due(free, deadlineS));
        List<Plan> plans = cheapestFirst(front);
        for (int guess = 0; guess <= plans.size(); guess += 1 + plans.size() / 3) {
          assertThat(race(judge, plans, guess))
              .as("seed %d, slack %s, guess %d", seed, slack, guess)
              .hasValueSatisfying(
                  best ->
                      assertThat(best.costUsd())
                          .isCloseTo(
                              front.cheapestBy(deadlineS).orElseThrow().costUsd(), within(EQUAL)));
        }
      }
    }
  }

  @Test
  void withSpreadTheWinnerIsNearTheLeastCost() {
    int found = 0;
    for (long seed = 0; seed < VARIED_JOBS; seed++) {
      Problem still = RandomJobs.small(seed);
      Front<BruteForce.Tried> front = BruteForce.front(still);
      for (double slack : SLACKS) {
        double deadlineS = slack * front.fastest().orElseThrow().completionS();
        Judge judge = judge(Jobs.due(RandomJobs.varied(still, seed), deadlineS));
        List<Plan> plans = cheapestFirst(front);
        Optional<Verdict> winner = race(judge, plans, plans.size() / 2);
        double leastUsd =
            plans.stream()
                .map(judge::full)
                .filter(judge::keepsAll)
                .mapToDouble(Verdict::costUsd)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        String job = "seed " + seed + ", slack " + slack;

        assertThat(winner.isPresent()).as(job).isEqualTo(leastUsd < Double.POSITIVE_INFINITY);
        if (winner.isPresent()) {
          found++;
          assertThat(judge.keepsAll(winner.get())).as(job).isTrue();
          assertThat(winner.get().costUsd())
              .as(job)
              .isBetween(leastUsd - EQUAL, leastUsd * (1 + GAP));
        }
      }
    }
    assertThat(found).isGreaterThan(2 * VARIED_JOBS);
  }

  private static Optional<Verdict> race(Judge judge, List<Plan> plans, int guess) {
    return new Settler(judge, SearchParameters.DEFAULT.race())
        .best(plans, guess, judge.deadline(), judge.all(), Aim.CHEAPER);
  }

  private static List<Plan> cheapestFirst(Front<BruteForce.Tried> front) {
    List<Plan> plans = new ArrayList<>(front.items().stream().map(BruteForce.Tried::plan).toList());
    Collections.reverse(plans);
    return plans;
  }

  private static Judge judge(Problem problem) {
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.BEST, 1_000, 0);
    return new Judge(problem, options, SearchParameters.DEFAULT.sampleCounts());
  }
}
