package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    double[] few = random.doubles(10_000).map(u -> -Math.log1p(-u)).sorted().toArray();
    double[] many = random.doubles(100_000).map(u -> -Math.log1p(-u)).sorted().toArray();

    assertThat(width(many)).isLessThan(width(few) / 2);
  }

  private static double width(double[] samples) {
    TailBound bound = TailBound.of(samples, 0.001, 0.95);
    return bound.upper() - bound.lower();
  }

  /** Of n samples, k or fewer are beyond the quantile with a binomial probability. */
  @ParameterizedTest
  @CsvSource({
    "2996, 0.95",
    "3689, 0.975",
    "12000, 0.95",
    "14784, 0.975",
    "59072, 0.9875",
    "1000000, 0.95"
  })
  void boundsHaveTheStatedConfidence(int n, double confidence) {
    double[] ranks = IntStream.range(0, n).asDoubleStream().toArray();
    BinomialDistribution beyond = BinomialDistribution.of(n, 0.001);

    TailBound bound = TailBound.of(ranks, 0.001, confidence);

    int above = n - 1 - (int) bound.upper();
    assertThat(beyond.cumulativeProbability(above)).isLessThanOrEqualTo(1 - confidence);
    assertThat(beyond.survivalProbability(n - 1 - (int) bound.lower()))
        .isLessThanOrEqualTo(1 - confidence);
  }

  @Test
  void fewerSamplesThanTheBoundRequiresAreRefused() {
    double[] samples = new double[TailBound.fewest(0.001, 0.95) - 1];

    assertThat(samples).hasSize(2995);
    assertThatThrownBy(() -> TailBound.of(samples, 0.001, 0.95))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("samples must be at least 2996, not 2995");
  }
}
