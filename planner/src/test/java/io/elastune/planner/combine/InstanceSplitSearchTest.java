package io.elastune.planner.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import io.elastune.planner.PlanPairs;
import io.elastune.planner.ScoredPlans;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.search.CandidatePool;
import io.elastune.planner.search.ChainSearch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares the proven split of instances among two chains with all pairs of their plans. */
class InstanceSplitSearchTest {
  private static final int JOBS = 40;
  private static final long EFFORT = 100_000_000;
  private static final double[] SLACKS = {1, 1.1, 1.4, 2, 4};
  private static final double EQUAL = 1e-7;

  @Test
  void thePlansOfTheBestSplitAreFound() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = ScoredPlans.twoChains(seed, 1);
      PlanPairs pairs = new PlanPairs(problem);
      double fastestS = pairs.fastestS();
      for (double slack : Double.isInfinite(fastestS) ? new double[0] : SLACKS) {
        double deadlineS = slack * fastestS + EQUAL;
        String job = "seed " + seed + ", slack " + slack;
        List<ChainSearch> chains = ScoredPlans.searches(problem);
        InstanceSplitSearch instanceSplitSearch = splitSearch(problem, chains, 0);
        double before = instanceSplitSearch.leastUsd(deadlineS, 0);
        instanceSplitSearch.proveBestSplit(deadlineS, EFFORT);
        double optimumUsd = pairs.leastRentUsd(deadlineS);

        assertThat(before).as(job).isLessThanOrEqualTo(optimumUsd + EQUAL);
        assertThat(instanceSplitSearch.leastUsd(deadlineS, 0))
            .as(job)
            .isCloseTo(optimumUsd, within(EQUAL));
        List<CandidatePool> candidatePools = chains.stream().map(ChainSearch::pool).toList();
        JobCandidate best =
            new MultiChainCombiner(problem.limits(), 0, SearchParameters.DEFAULT.combination())
                .combine(candidatePools, deadlineS)
                .orElseThrow();
        assertThat(best.costUsd()).as(job).isCloseTo(optimumUsd, within(EQUAL));
      }
    }
  }

  @Test
  void boundWithHourlyCostsIsNeverAboveTheOptimum() {
    int hourly = 0;
    for (long seed = 0; seed < 2 * JOBS; seed++) {
      Problem problem = ScoredPlans.twoChains(seed, 1);
      double usdPerS = problem.running().usdPerS();
      PlanPairs pairs = new PlanPairs(problem);
      double fastestS = pairs.fastestS();
      if (usdPerS == 0 || Double.isInfinite(fastestS)) {
        continue;
      }
      hourly++;
      for (double slack : SLACKS) {
        double deadlineS = slack * fastestS + EQUAL;
        InstanceSplitSearch instanceSplitSearch =
            splitSearch(problem, ScoredPlans.searches(problem), usdPerS);
        instanceSplitSearch.proveBestSplit(deadlineS, EFFORT);
        assertThat(instanceSplitSearch.leastUsd(deadlineS, fastestS - EQUAL))
            .as("seed %d, slack %s", seed, slack)
            .isLessThanOrEqualTo(pairs.leastUsd(deadlineS) + EQUAL);
      }
    }
    assertThat(hourly).isGreaterThan(10);
  }

  private static InstanceSplitSearch splitSearch(
      Problem problem, List<ChainSearch> chains, double usdPerS) {
    return new InstanceSplitSearch(
        problem, chains, usdPerS, SearchParameters.DEFAULT.combination());
  }
}
