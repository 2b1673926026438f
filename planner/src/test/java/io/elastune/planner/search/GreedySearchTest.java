package io.elastune.planner.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.planner.BruteForce;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.ScoredPlans;
import io.elastune.planner.api.GreedyStep;
import io.elastune.planner.model.CandidateOrder;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.TimeAndCost;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Compares greedy descents with the optimum of all plans of small jobs. */
class GreedySearchTest {
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
      ParetoFront<BruteForce.SimulatedPlan> optima = BruteForce.front(problem);
      int cap = problem.limits().maxInstances();
      for (double slack : SLACKS) {
        double deadlineS = slack * optima.fastest().orElseThrow().completionS() + EQUAL;
        double optimumUsd = optima.cheapestWithin(deadlineS).orElseThrow().costUsd();
        String job = "seed " + seed + ", slack " + slack;
        CandidatePool candidatePool = new CandidatePool(CandidatePool.SharedResources.NOTHING);
        MeanValueModel model = ScoredPlans.model(problem);
        GreedySearch greedySearch = new GreedySearch(model, candidatePool, () -> false);
        double bestUsd = Double.POSITIVE_INFINITY;
        for (ChainCandidate start : starts(model, greedySearch, deadlineS)) {
          GreedySearch.Descent descent =
              greedySearch.descend(start, deadlineS, offerChoice -> true, cap);
          assertDescent(descent, deadlineS, job);
          assertThat(descent.end().peak()).as(job).isLessThanOrEqualTo(cap);
          double endUsd = descent.end().costUsd();
          assertNoNeighbor(
              model,
              descent.end(),
              chainCandidate ->
                  chainCandidate.completionS() <= deadlineS
                      && chainCandidate.costUsd() < endUsd - 2 * TimeAndCost.TOLERANCE,
              job);
          assertThat(descent.end().costUsd()).as(job).isGreaterThan(optimumUsd - EQUAL);
          bestUsd = Math.min(bestUsd, descent.end().costUsd());
        }
        gaps.add(bestUsd / optimumUsd - 1);
        assertNotBelow(optima, candidatePool, job);
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
      MeanValueModel model = ScoredPlans.model(problem);
      GreedySearch greedySearch =
          new GreedySearch(
              model, new CandidatePool(CandidatePool.SharedResources.NOTHING), () -> false);
      ChainCandidate fastest = fastest(model, greedySearch);
      double fastestS = fastest.completionS();
      assertNoNeighbor(
          model,
          fastest,
          chainCandidate -> chainCandidate.completionS() < fastestS - 2 * TimeAndCost.TOLERANCE,
          "seed " + seed);

      assertThat(fastestS).as("seed %d", seed).isGreaterThan(leastS - EQUAL);
      gaps.add(fastestS / leastS - 1);
    }
    gaps.assertAtMost(MEAN_GAP, WORST_GAP);
  }

  /** Returns the static plans and the fastest plan, as far as they meet the deadline. */
  private static List<ChainCandidate> starts(
      MeanValueModel model, GreedySearch greedySearch, double deadlineS) {
    List<ChainCandidate> starts = new ArrayList<>(List.of(fastest(model, greedySearch)));
    new StaticPlans(model, greedySearch.scorer(), greedySearch.neighborMoves())
        .pairs()
        .forEach(staticAndElastic -> starts.add(staticAndElastic.elastic()));
    return starts.stream().filter(start -> start.completionS() <= deadlineS).toList();
  }

  private static ChainCandidate fastest(MeanValueModel model, GreedySearch greedySearch) {
    ChainCandidate start =
        new StaticPlans(model, greedySearch.scorer(), greedySearch.neighborMoves())
            .pairs().stream()
                .map(StaticPlans.StaticAndElastic::elastic)
                .min(CandidateOrder::faster)
                .orElseThrow();
    return greedySearch.hasten(start, offerChoice -> true, Integer.MAX_VALUE);
  }

  /** Asserts that a search ended only where no neighbor is better. */
  private static void assertNoNeighbor(
      MeanValueModel model, ChainCandidate end, Predicate<ChainCandidate> isBetter, String job) {
    CandidateScorer candidateScorer = new CandidateScorer(model);
    new Neighbors(model)
        .visitNeighbors(
            end,
            offerChoice -> true,
            Integer.MAX_VALUE,
            (trialShapes, instances, from) ->
                assertThat(isBetter.test(candidateScorer.score(trialShapes, instances)))
                    .as(job)
                    .isFalse());
  }

  private static void assertDescent(GreedySearch.Descent descent, double deadlineS, String job) {
    assertThat(descent.end().completionS())
        .as(job)
        .isLessThanOrEqualTo(deadlineS + TimeAndCost.TOLERANCE);
    double costUsd = descent.start().costUsd();
    for (GreedyStep greedyStep : descent.steps()) {
      assertThat(greedyStep.costBeforeUsd()).as(job).isEqualTo(costUsd);
      assertThat(greedyStep.costAfterUsd()).as(job).isLessThan(costUsd);
      costUsd = greedyStep.costAfterUsd();
    }
    assertThat(descent.end().costUsd()).as(job).isEqualTo(costUsd);
  }

  private static void assertNotBelow(
      ParetoFront<BruteForce.SimulatedPlan> optima, CandidatePool candidatePool, String job) {
    for (ChainCandidate chainCandidate : candidatePool.all().items()) {
      double leastUsd =
          optima.cheapestWithin(chainCandidate.completionS() + EQUAL).orElseThrow().costUsd();
      assertThat(chainCandidate.costUsd()).as(job).isGreaterThan(leastUsd - EQUAL);
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
