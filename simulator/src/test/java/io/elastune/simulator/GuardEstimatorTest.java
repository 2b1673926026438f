package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The spending guard does not depend on a few extreme samples. */
class GuardEstimatorTest {
  /** Largest difference between the guards of two seeds, as a part of the guard. */
  private static final double TOLERANCE = 0.05;

  private static final int FRESH = Tier.runs(40_000, 100_000);
  static final Plan PLAN = WorkedExample.plan("4×1 2×1 2×2 2×4", false);

  /** Returns the worked example with spread, where instances are lost at a rate per hour. */
  static Problem problem(double lossesPerHour, long seed) {
    Problem base = WorkedExample.problem(0.05, 0.10, 0.4);
    Problem reseeded =
        new Problem(
            base.workload(),
            base.offers(),
            base.profiles(),
            base.gpusPerTrial(),
            base.limits(),
            base.running(),
            seed);
    return reseeded.withFaults(
        offer ->
            new InstanceFaultRates(
                FaultRate.NONE,
                0,
                FaultRate.assumed(0.01),
                FaultRate.assumed(0.02),
                5,
                FaultRate.assumed(lossesPerHour),
                FaultRate.NONE,
                0,
                0),
        profile -> profile.faults());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 1, 6})
  void twoSeedsGiveAboutTheSameGuard(double lossesPerHour) {
    double[] guards = new double[Tier.runs(3, 6)];
    Arrays.setAll(guards, seed -> GuardEstimator.usd(problem(lossesPerHour, seed + 1), PLAN, 1));
    Arrays.sort(guards);

    assertThat(guards[guards.length - 1] / guards[0] - 1).isLessThan(TOLERANCE);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 1, 6})
  void fewerThanOneOfAThousandRunsNeedMore(double lossesPerHour) {
    double guard = GuardEstimator.usd(problem(lossesPerHour, 1), PLAN, 2);

    double[] fresh =
        new Simulator(problem(lossesPerHour, 99).withDefaultFaults(), FRESH).sample(PLAN).costUsd();

    assertThat(Arrays.stream(fresh).filter(usd -> usd > guard).count() / (double) FRESH)
        .isLessThan(0.001);
  }
}
