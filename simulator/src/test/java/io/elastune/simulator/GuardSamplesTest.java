package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.LimitsBuilder;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.sample.SamplingCounter;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** How many samples the spending guard draws. The counter counts those of all threads. */
@Isolated
class GuardSamplesTest {
  /** Where the minimum guard decides, no more samples are drawn than the first look needs. */
  @Test
  void fewSamplesAreDrawnWhereTheBoundDoesNotMatter() {
    Chain longer = new Chain("", List.of(new TrialGroup("1", 16, 0, 100)));
    FaultRate rare = FaultRate.assumed(1e-6);
    Problem calm =
        GuardEstimatorTest.problem(1e-6, 1)
            .withWorkload(new Workload(List.of(longer)))
            .withFaults(Offer::faults, profile -> new TrialFaultRates(rare, rare, rare));

    assertThat(samples(calm, WorkedExample.plan("4×1", false))).isEqualTo(GuardSampling.FIRST);
    assertThat(samples(GuardEstimatorTest.problem(6, 1), GuardEstimatorTest.PLAN))
        .isEqualTo(29_888);
  }

  /**
   * So do jobs of very many instances. Their guard is at least as high as that of more samples with
   * fewer faults.
   */
  @Test
  void jobsWithMuchWorkHaveFewSamplesWithMoreFaults() {
    Problem small = GuardEstimatorTest.problem(1, 1);
    Limits many = LimitsBuilder.builder(small.limits()).maxInstances(10_000).build();
    Plan large = WorkedExample.plan("3000×1 1×1 1×2 1×4", false);
    assertThat(samples(small.withLimits(many), large)).isEqualTo(GuardSampling.FEW);

    for (double lossesPerHour : new double[] {0.01, 1, 6}) {
      for (long seed = 1; seed <= 3; seed++) {
        Problem problem = GuardEstimatorTest.problem(lossesPerHour, seed).withDefaultFaults();
        GuardSampling sampling =
            new GuardSampling(problem, GuardEstimatorTest.PLAN, 1, SamplingProgress.NONE);
        assertThat(sampling.tailOfFew().upperUsd())
            .isGreaterThanOrEqualTo(0.98 * sampling.tail(0, 0).upperUsd());
      }
    }
  }

  private static long samples(Problem problem, Plan plan) {
    SamplingCounter.Counts before = SamplingCounter.counts();
    GuardEstimator.usd(problem, plan, 1);
    return SamplingCounter.counts().since(before).samples();
  }
}
