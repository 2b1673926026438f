package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Compares greedy descents with the optimum of all plans of small jobs. */
class GreedyTest {
  private static final int JOBS = 24;
  private static final double[] SLACKS = {1.05, 1.3, 2, 5};

  /** On these small jobs, descents from all static plans end at the optimum or near it. */
  private static final double MEAN_GAP = 0.002;

  private static final double WORST_GAP = 0.05;
  private static final double EQUAL = 1e-7;

  @Test
  void descentsLowerTheCostWithinTheDeadline() {
    Series gaps = new Series();
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      Front<BruteForce.Tried> optima = BruteForce.front(problem);
      int cap = problem.limits().maxInstances();
      for (double slack : SLACKS) {
        double deadlineS = slack * optima.fastest().orElseThrow().completionS() + EQUAL;
        double optimumUsd = optima.cheapestBy(deadlineS).orElseThrow().costUsd();
        String job = "seed " + seed + ", slack " + slack;
        Pool pool = new Pool(Pool.Shared.NOTHING);
        ChainModel model = ScoredPlans.model(problem);
        Greedy greedy = new Greedy(model, pool, () -> false);
        double bestUsd = Double.POSITIVE_INFINITY;
        for (Draft start : starts(model, greedy, deadlineS)) {
          Greedy.Descent descent = greedy.descend(start, deadlineS, rental -> true, cap);
          assertDescent(descent, deadlineS, job);
          assertThat(descent.end().peak()).as(job).isLessThanOrEqualTo(cap);
          double endUsd = descent.end().costUsd();
          assertNoNeighbor(
              model,
              descent.end(),
              draft ->
                  draft.completionS() <= deadlineS && draft.costUsd() < endUsd - 2 * Timed.SAME,
              job);
          assertThat(descent.end().costUsd()).as(job).isGreaterThan(optimumUsd - EQUAL);
          bestUsd = Math.min(bestUsd, descent.end().costUsd());
        }
        gaps.add(bestUsd / optimumUsd - 1);
        assertNotBelow(optima, pool, job);
      }
    }
    gaps.assertAtMost(MEAN_GAP, WORST_GAP);
  }

  @Test
  void fastestPlanIsNearTheFastestOfAll() {
    Series gaps = new Series();
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      double leastS = BruteForce.front(problem).fastest().orElseThrow().completionS();
      ChainModel model = ScoredPlans.model(problem);
      Greedy greedy = new Greedy(model, new Pool(Pool.Shared.NOTHING), () -> false);
      Draft fastest = fastest(model, greedy);
      double fastestS = fastest.completionS();
      assertNoNeighbor(
          model, fastest, draft -> draft.completionS() < fastestS - 2 * Timed.SAME, "seed " + seed);

      assertThat(fastestS).as("seed %d", seed).isGreaterThan(leastS - EQUAL);
      gaps.add(fastestS / leastS - 1);
    }
    gaps.assertAtMost(MEAN_GAP, WORST_GAP);
  }

  /** Returns the static plans and the fastest plan, as far as they meet the deadline. */
  private static List<Draft> starts(ChainModel model, Greedy greedy, double deadlineS) {
    List<Draft> starts = new ArrayList<>(List.of(fastest(model, greedy)));
    new Statics(model, greedy.scorer(), greedy.neighbours())
        .pairs()
        .forEach(pair -> starts.add(pair.elastic()));
    return starts.stream().filter(start -> start.completionS() <= deadlineS).toList();
  }

  private static Draft fastest(ChainModel model, Greedy greedy) {
    Draft start =
        new Statics(model, greedy.scorer(), greedy.neighbours())
            .pairs().stream().map(Statics.Pair::elastic).min(Chooser::faster).orElseThrow();
    return greedy.hasten(start, rental -> true, Integer.MAX_VALUE);
  }

  /** Asserts that a search ended only where no neighbor is better. */
  private static void assertNoNeighbor(
      ChainModel model, Draft end, Predicate<Draft> isBetter, String job) {
    Scorer scorer = new Scorer(model);
    new Neighbours(model)
        .each(
            end,
            rental -> true,
            Integer.MAX_VALUE,
            (sizes, instances, from) ->
                assertThat(isBetter.test(scorer.score(sizes, instances))).as(job).isFalse());
  }

  private static void assertDescent(Greedy.Descent descent, double deadlineS, String job) {
    assertThat(descent.end().completionS()).as(job).isLessThanOrEqualTo(deadlineS + Timed.SAME);
    double costUsd = descent.start().costUsd();
    for (Step step : descent.steps()) {
      assertThat(step.costBeforeUsd()).as(job).isEqualTo(costUsd);
      assertThat(step.costAfterUsd()).as(job).isLessThan(costUsd);
      costUsd = step.costAfterUsd();
    }
    assertThat(descent.end().costUsd()).as(job).isEqualTo(costUsd);
  }

  private static void assertNotBelow(Front<BruteForce.Tried> optima, Pool pool, String job) {
    for (Draft draft : pool.all().items()) {
      double leastUsd = optima.cheapestBy(draft.completionS() + EQUAL).orElseThrow().costUsd();
      assertThat(draft.costUsd()).as(job).isGreaterThan(leastUsd - EQUAL);
    }
  }

  /** Gaps to the optimum, as parts of it. */
  private static final class Series {
    private final List<Double> gaps = new ArrayList<>();

    void add(double gap) {
      gaps.add(gap);
    }

    void assertAtMost(double mean, double worst) {
      assertThat(gaps.stream().mapToDouble(gap -> gap).average().orElseThrow())
          .isLessThanOrEqualTo(mean);
      assertThat(gaps.stream().mapToDouble(gap -> gap).max().orElseThrow())
          .isLessThanOrEqualTo(worst);
    }
  }
}
