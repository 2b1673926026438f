package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares combinations of two chains with all pairs of their plans. */
class JoinerTest {
  private static final int JOBS = 40;
  private static final double[] SLACKS = {1, 1.1, 1.4, 2, 4};
  private static final double EQUAL = 1e-7;

  @Test
  void sharedInstancesAreSplitAtLeastCost() {
    int coupled = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      coupled += assertOptimal(ScoredPlans.twoChains(seed, 1), Pool.Shared.INSTANCES) ? 1 : 0;
    }
    assertThat(coupled).isBetween(1, JOBS);
  }

  @Test
  void limitsByOfferAreMetAtLeastCost() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = PlanPairs.limited(ScoredPlans.twoChains(seed, 2), seed);
      assertOptimal(problem, Pool.Shared.OFFERS);
    }
  }

  /** Returns whether a shared limit coupled the chains. */
  private static boolean assertOptimal(Problem problem, Pool.Shared shared) {
    PlanPairs pairs = new PlanPairs(problem);
    Joiner joiner =
        new Joiner(
            problem.limits(), problem.running().usdPerS(), SearchParameters.DEFAULT.combination());
    double fastestS = pairs.fastestS();
    for (double slack : Double.isInfinite(fastestS) ? new double[0] : SLACKS) {
      double deadlineS = slack * fastestS + EQUAL;
      Front<Outline> front = joiner.frontier(ScoredPlans.pools(problem, shared), deadlineS);
      Optional<Outline> found = front.cheapestBy(deadlineS);
      String job = "seed " + problem.seed() + ", slack " + slack;

      assertThat(found).as(job).isPresent();
      assertThat(found.get().costUsd()).as(job).isCloseTo(pairs.leastUsd(deadlineS), within(EQUAL));
      assertThat(front.items())
          .as(job)
          .allMatch(outline -> pairs.fits(outline.drafts().get(0), outline.drafts().get(1)));
    }
    return joiner.isCoupled();
  }
}
