package io.elastune.planner.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import io.elastune.planner.PlanPairs;
import io.elastune.planner.ScoredPlans;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.search.CandidatePool;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares the selection of one plan for each chain with all pairs of their plans. */
class SharedLimitSelectionTest {
  private static final int JOBS = 60;
  private static final double[] SLACKS = {1, 1.1, 1.4, 2, 4};
  private static final double EQUAL = 1e-7;

  @Test
  void selectsThePairOfLeastCostWithinTheLimits() {
    int solved = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = PlanPairs.limited(ScoredPlans.twoChains(seed, 2), seed);
      PlanPairs pairs = new PlanPairs(problem);
      SharedLimitSelection sharedLimitSelection =
          SharedLimitSelection.ofAll(problem.limits(), SearchParameters.DEFAULT.combination());
      List<CandidatePool> candidatePools =
          ScoredPlans.pools(problem, CandidatePool.SharedResources.OFFERS);
      double fastestS = pairs.fastestS();
      for (double slack : Double.isInfinite(fastestS) ? new double[0] : SLACKS) {
        double deadlineS = slack * fastestS + EQUAL;
        String job = "seed " + seed + ", slack " + slack;
        Optional<List<ChainCandidate>> found = sharedLimitSelection.best(candidatePools, deadlineS);

        assertThat(found).as(job).isPresent();
        assertThat(pairs.fits(found.get().get(0), found.get().get(1))).as(job).isTrue();
        assertThat(found.get())
            .as(job)
            .allMatch(chainCandidate -> chainCandidate.completionS() <= deadlineS);
        assertThat(found.get().stream().mapToDouble(ChainCandidate::costUsd).sum())
            .as(job)
            .isCloseTo(pairs.leastRentUsd(deadlineS), within(EQUAL));
        solved++;
      }
    }
    assertThat(solved).isGreaterThan(JOBS);
  }

  @Test
  void nothingIsSelectedBeforeTheFastestPair() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = PlanPairs.limited(ScoredPlans.twoChains(seed, 2), seed);
      SharedLimitSelection sharedLimitSelection =
          SharedLimitSelection.ofAll(problem.limits(), SearchParameters.DEFAULT.combination());
      double fastestS = Math.min(1e9, new PlanPairs(problem).fastestS());
      assertThat(
              sharedLimitSelection.best(
                  ScoredPlans.pools(problem, CandidatePool.SharedResources.OFFERS),
                  0.999 * fastestS))
          .as("seed %d", seed)
          .isEmpty();
    }
  }
}
