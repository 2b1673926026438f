package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.sample.SamplingCounter;
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

    assertThat(samples(calm, WorkedExample.plan("4×1", false))).isEqualTo(3712);
    assertThat(samples(GuardEstimatorTest.problem(6, 1), GuardEstimatorTest.PLAN))
        .isEqualTo(16 * 3689 / 64 * 64 + 64);
  }

  private static long samples(Problem problem, Plan plan) {
    SamplingCounter.Counts before = SamplingCounter.counts();
    GuardEstimator.usd(problem, plan, 1);
    return SamplingCounter.counts().since(before).samples();
  }
}
