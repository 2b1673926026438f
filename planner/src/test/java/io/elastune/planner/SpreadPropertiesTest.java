package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Tests properties of every result for jobs with spread, where the mean-value model is only an
 * approximation. Every build tests a few jobs, including known hard ones; {@code
 * -Delastune.quality=full} tests all seeds below 400.
 */
class SpreadPropertiesTest {
  private static final boolean FULL = System.getProperty("elastune.quality", "").equals("full");
  private static final int JOBS = FULL ? 400 : Tier.runs(8, 24);
  private static final double[] SLACKS = {1.05, 1.1, 1.2, 1.3, 1.4, 1.7, 2, 2.5, 4, 6};
  private static final double[] FEW_SLACKS = {1.1, 1.4, 1.7, 3};
  private static final double ROUNDING = 1e-7;

  @Test
  void aLaterDeadlineNeverCostsMore() {
    for (long seed : seeds(55, 62, 112, 133, 219, 312)) {
      Problem problem = RandomJobs.withSpread(RandomJobs.small(seed), seed);
      double fastestS = fastestS(seed);
      double before = Double.POSITIVE_INFINITY;
      for (double slack : SLACKS) {
        double costUsd = costUsd(problem, fastestS * slack);
        assertThat(costUsd)
            .as("seed %d, slack %s", seed, slack)
            .isLessThanOrEqualTo(before + ROUNDING);
        before = costUsd;
      }
    }
  }

  @Test
  void moreOffersNeverCostMore() {
    for (long seed : seeds(137, 263, 418, 578, 595)) {
      Problem both = RandomJobs.withSpread(RandomJobs.small(seed), seed);
      double fastestS = fastestS(seed);
      for (int own = 0; both.offers().size() == 2 && own < 2; own++) {
        List<Offer> one = both.offers().subList(own, own + 1);
        for (double slack : FEW_SLACKS) {
          double deadlineS = fastestS * slack;
          assertThat(costUsd(both, deadlineS))
              .as("seed %d, slack %s, offer %d", seed, slack, own)
              .isLessThanOrEqualTo(costUsd(RandomJobs.withOffers(both, one), deadlineS) + ROUNDING);
        }
      }
    }
  }

  private static long[] seeds(long... hard) {
    return LongStream.concat(
            LongStream.range(0, JOBS), LongStream.of(hard).filter(seed -> seed >= JOBS))
        .toArray();
  }

  private static double fastestS(long seed) {
    return BruteForce.front(RandomJobs.small(seed)).fastest().orElseThrow().completionS();
  }

  /** Returns the mean cost of the plan in USD; infinite if there is no plan. */
  private static double costUsd(Problem problem, double deadlineS) {
    PlanResult answer =
        new Planner(TestJobs.withDeadline(problem, deadlineS), PlannerOptions.DEFAULT).plan();
    return answer instanceof PlanResult.Found found
        ? found.estimate().costUsd().mean()
        : Double.POSITIVE_INFINITY;
  }
}
