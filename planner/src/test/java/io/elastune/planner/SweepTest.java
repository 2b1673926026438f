package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares beam search with all plans of small jobs, and with exact search of larger ones. */
class SweepTest {
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
      JobSearch search = Jobs.search(problem);
      search.sweep(Double.POSITIVE_INFINITY);
      double foundUsd = cheapestUsd(search);
      search.exact(Double.MAX_VALUE, Double.MAX_VALUE, 10_000_000);

      assertThat(foundUsd / cheapestUsd(search)).as("seed %d", seed).isBetween(1 - EQUAL, NEAR);
    }
  }

  private static double cheapestUsd(JobSearch search) {
    return search.front(Double.MAX_VALUE).cheapestBy(Double.MAX_VALUE).orElseThrow().costUsd();
  }

  @Test
  void rarelyMissesTheCheapestPlanOfSmallJobs() {
    int missed = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      Front<BruteForce.Tried> all = BruteForce.front(problem);
      JobSearch search = Jobs.search(problem);
      search.sweep(Double.POSITIVE_INFINITY);
      Front<Outline> found = search.front(Double.POSITIVE_INFINITY);

      for (Outline outline : found.items()) {
        double leastUsd = all.cheapestBy(outline.completionS() + EQUAL).orElseThrow().costUsd();
        assertThat(outline.costUsd()).as("seed %d", seed).isGreaterThan(leastUsd - EQUAL);
      }
      double cheapestUsd = all.cheapestBy(Double.POSITIVE_INFINITY).orElseThrow().costUsd();
      double foundUsd = found.cheapestBy(Double.POSITIVE_INFINITY).orElseThrow().costUsd();
      missed += foundUsd > cheapestUsd + EQUAL ? 1 : 0;
    }
    assertThat(missed).isLessThanOrEqualTo(JOBS / MISSED);
  }

  @Test
  void valueAtAPriceOfTimeIsNearTheLeast() {
    int worse = 0;
    for (long seed = 0; seed < PRICED; seed++) {
      Problem problem = RandomJobs.small(seed);
      ChainModel model = ScoredPlans.model(problem);
      int cap = problem.limits().maxInstances();
      List<Draft> all = ScoredPlans.all(model, cap);
      Pool pool = new Pool(Pool.Shared.NOTHING);
      Sweep sweep = new Sweep(model, new Neighbours(model), pool, () -> false);
      for (double price : PRICES) {
        Draft found = sweep.at(price, model.menu().rentals(), cap).orElseThrow();
        double leastUsd = all.stream().mapToDouble(draft -> usd(draft, price)).min().orElseThrow();

        assertThat(usd(found, price) / leastUsd)
            .as("seed %d, %s USD per second", seed, price)
            .isBetween(1 - EQUAL, WORST);
        worse += usd(found, price) > leastUsd + EQUAL ? 1 : 0;
      }
    }
    assertThat(worse).isLessThanOrEqualTo(PRICED * PRICES.length / MISSED);
  }

  private static double usd(Draft draft, double price) {
    return draft.costUsd() + price * draft.meanS();
  }
}
