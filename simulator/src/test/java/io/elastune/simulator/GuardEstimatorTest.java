package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The spending guard does not depend on a few extreme samples. */
class GuardEstimatorTest {
  /** Largest difference between the guards of two seeds, as a part of the guard. */
  private static final double TOLERANCE = 0.05;

  private static final int FRESH = 100_000;
  private static final Plan PLAN = WorkedExample.plan("4×1 2×1 2×2 2×4", false);

  /** Returns the worked example with spread, where instances are lost at a rate per hour. */
  private static Problem problem(double lossesPerHour, long seed) {
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
    double[] guards = new double[6];
    Arrays.setAll(guards, seed -> GuardEstimator.usd(problem(lossesPerHour, seed + 1), PLAN, 1));
    Arrays.sort(guards);

    assertThat(guards[5] / guards[0] - 1).isLessThan(TOLERANCE);
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

  @Test
  void boundsContainTheQuantile() {
    Random random = new Random(1);
    int above = 0;
    int inside = 0;
    double quantile = -Math.log(0.001);
    for (int i = 0; i < 400; i++) {
      double[] samples = random.doubles(10_000).map(u -> -Math.log1p(-u)).sorted().toArray();
      TailBound bound = TailBound.of(samples, 0.001, 0.95);
      above += bound.upper() >= quantile ? 1 : 0;
      inside += bound.upper() >= quantile && bound.lower() <= quantile ? 1 : 0;
    }

    assertThat(above / 400.0).isCloseTo(0.97, within(0.03));
    assertThat(inside / 400.0).isCloseTo(0.94, within(0.05));
  }

  @Test
  void widthShrinksWithTheNumberOfSamples() {
    Random random = new Random(2);
    double[] few = random.doubles(10_000).map(u -> 10 - Math.log1p(-u)).sorted().toArray();
    double[] many = random.doubles(100_000).map(u -> 10 - Math.log1p(-u)).sorted().toArray();

    assertThat(TailBound.of(many, 0.001, 0.95).relativeWidth())
        .isLessThan(TailBound.of(few, 0.001, 0.95).relativeWidth() / 2);
  }
}
