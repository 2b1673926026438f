package io.elastune.planner.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.planner.BruteForce;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.ScoredPlans;
import io.elastune.planner.TestJobs;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.ParetoFront;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares beam search with all plans of small jobs, and with exact search of larger ones. */
class BeamSearchTest {
  private static final int JOBS = 120;

  /** Beam search may miss the cheapest plan of one job in this many. */
  private static final int MISSED = 20;

  private static final int LARGER = 100;
  private static final double NEAR = 1.03;
  private static final int PRICED = 40;
  private static final double[] PRICES = {0, 0.001, 0.005, 0.02, 0.1};

  /** Beam search may end at a plan of so many times the least cost, time included. */
  private static final double WORST = 1.15;

  private static final double EQUAL = 1e-7;

  /** These jobs have teams, and one offer, which cannot be released and requested again at once. */
  @Test
  void findsTheCheapestPlanOfLargerJobs() {
    for (long seed = 0; seed < LARGER; seed++) {
      Problem problem = RandomJobs.halving(seed);
      JobSearch search = TestJobs.search(problem);
      search.beamSearch(Double.POSITIVE_INFINITY);
      double foundUsd = cheapestUsd(search);
      search.searchExactly(Double.MAX_VALUE, Double.MAX_VALUE, 10_000_000);

      assertThat(foundUsd / cheapestUsd(search)).as("seed %d", seed).isBetween(1 - EQUAL, NEAR);
    }
  }

  private static double cheapestUsd(JobSearch search) {
    return search.front(Double.MAX_VALUE).cheapestWithin(Double.MAX_VALUE).orElseThrow().costUsd();
  }

  @Test
  void rarelyMissesTheCheapestPlanOfSmallJobs() {
    int missed = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      ParetoFront<BruteForce.SimulatedPlan> all = BruteForce.front(problem);
      JobSearch search = TestJobs.search(problem);
      search.beamSearch(Double.POSITIVE_INFINITY);
      ParetoFront<JobCandidate> found = search.front(Double.POSITIVE_INFINITY);

      for (JobCandidate jobCandidate : found.items()) {
        double leastUsd =
            all.cheapestWithin(jobCandidate.completionS() + EQUAL).orElseThrow().costUsd();
        assertThat(jobCandidate.costUsd()).as("seed %d", seed).isGreaterThan(leastUsd - EQUAL);
      }
      double cheapestUsd = all.cheapestWithin(Double.POSITIVE_INFINITY).orElseThrow().costUsd();
      double foundUsd = found.cheapestWithin(Double.POSITIVE_INFINITY).orElseThrow().costUsd();
      missed += foundUsd > cheapestUsd + EQUAL ? 1 : 0;
    }
    assertThat(missed).isLessThanOrEqualTo(JOBS / MISSED);
  }

  @Test
  void valueAtAPriceOfTimeIsNearTheLeast() {
    int worse = 0;
    for (long seed = 0; seed < PRICED; seed++) {
      Problem problem = RandomJobs.small(seed);
      MeanValueModel model = ScoredPlans.model(problem);
      int cap = problem.limits().maxInstances();
      List<ChainCandidate> all = ScoredPlans.all(model, cap);
      CandidatePool candidatePool = new CandidatePool(CandidatePool.SharedResources.NOTHING);
      BeamSearch beamSearch =
          new BeamSearch(model, new Neighbors(model), candidatePool, () -> false);
      for (double price : PRICES) {
        ChainCandidate found =
            beamSearch.search(price, model.choiceSet().offerChoices(), cap).orElseThrow();
        double leastUsd =
            all.stream()
                .mapToDouble(chainCandidate -> usd(chainCandidate, price))
                .min()
                .orElseThrow();

        assertThat(usd(found, price) / leastUsd)
            .as("seed %d, %s USD per second", seed, price)
            .isBetween(1 - EQUAL, WORST);
        worse += usd(found, price) > leastUsd + EQUAL ? 1 : 0;
      }
    }
    assertThat(worse).isLessThanOrEqualTo(PRICED * PRICES.length / MISSED);
  }

  private static double usd(ChainCandidate chainCandidate, double price) {
    return chainCandidate.costUsd() + price * chainCandidate.meanS();
  }
}
