package io.elastune.planner.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import io.elastune.planner.PlanPairs;
import io.elastune.planner.ScoredPlans;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.search.CandidatePool;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares combinations of two chains with all pairs of their plans. */
class MultiChainCombinerTest {
  private static final int JOBS = 40;
  private static final double[] SLACKS = {1, 1.1, 1.4, 2, 4};
  private static final double EQUAL = 1e-7;

  @Test
  void sharedInstancesAreSplitAtLeastCost() {
    int coupled = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      coupled +=
          assertOptimal(ScoredPlans.twoChains(seed, 1), CandidatePool.SharedResources.INSTANCES)
              ? 1
              : 0;
    }
    assertThat(coupled).isBetween(1, JOBS);
  }

  @Test
  void limitsByOfferAreMetAtLeastCost() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = PlanPairs.limited(ScoredPlans.twoChains(seed, 2), seed);
      assertOptimal(problem, CandidatePool.SharedResources.OFFERS);
    }
  }

  /** Returns whether a shared limit coupled the chains. */
  private static boolean assertOptimal(
      Problem problem, CandidatePool.SharedResources sharedResources) {
    PlanPairs pairs = new PlanPairs(problem);
    MultiChainCombiner multiChainCombiner =
        new MultiChainCombiner(
            problem.limits(), problem.running().usdPerS(), SearchParameters.DEFAULT.combination());
    double fastestS = pairs.fastestS();
    for (double slack : Double.isInfinite(fastestS) ? new double[0] : SLACKS) {
      double deadlineS = slack * fastestS + EQUAL;
      ParetoFront<JobCandidate> paretoFront =
          multiChainCombiner.frontier(ScoredPlans.pools(problem, sharedResources), deadlineS);
      Optional<JobCandidate> found = paretoFront.cheapestWithin(deadlineS);
      String job = "seed " + problem.seed() + ", slack " + slack;

      assertThat(found).as(job).isPresent();
      assertThat(found.get().costUsd()).as(job).isCloseTo(pairs.leastUsd(deadlineS), within(EQUAL));
      assertThat(paretoFront.items())
          .as(job)
          .allMatch(
              jobCandidate ->
                  pairs.fits(
                      jobCandidate.chainCandidates().get(0),
                      jobCandidate.chainCandidates().get(1)));
    }
    return multiChainCombiner.isCoupled();
  }
}
