package io.elastune.simulator.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.WorkedExample;
import io.elastune.simulator.draw.DrawDistributions;
import io.elastune.simulator.draw.SampleBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class SamplingErrorsTest {
  private static final Plan PLAN = WorkedExample.plan("4×1 2×1 2×2 2×4", false);

  private static final List<ToDoubleFunction<Estimate>> FIGURES =
      List.of(
          estimate -> estimate.completionS().mean(),
          estimate -> estimate.completionS().p5(),
          estimate -> estimate.completionS().p50(),
          estimate -> estimate.completionS().p95(),
          estimate -> estimate.costUsd().mean(),
          estimate -> estimate.costUsd().p5(),
          estimate -> estimate.costUsd().p50(),
          estimate -> estimate.costUsd().p95());

  @Test
  void computesStandardErrorOfFewNumbers() {
    // The variance of the four numbers is 5/3; that of their mean is a quarter of it.
    assertThat(SamplingErrors.ofMean(new double[] {1, 2, 3, 4}))
        .isCloseTo(Math.sqrt(5.0 / 3 / 4), within(1e-12));
    assertThat(SamplingErrors.ofMean(new double[] {7})).isZero();
  }

  @Test
  void statedErrorMatchesActualError() {
    int runs = 400;
    double[] meansS = new double[runs];
    double[] statedS = new double[runs];
    double[] meansUsd = new double[runs];
    double[] statedUsd = new double[runs];
    for (int run = 0; run < runs; run++) {
      Estimate estimate = new Simulator(seeded(run), 200).simulate(PLAN);
      meansS[run] = estimate.completionS().mean();
      statedS[run] = estimate.samplingError().completionS();
      meansUsd[run] = estimate.costUsd().mean();
      statedUsd[run] = estimate.samplingError().costUsd();
    }
    // The standard deviation of 400 means has an error of 3.5 %.
    assertThat(mean(statedS)).isCloseTo(deviation(meansS), Percentage.withPercentage(12));
    assertThat(mean(statedUsd)).isCloseTo(deviation(meansUsd), Percentage.withPercentage(12));
  }

  @Test
  void samplesUntilAllFiguresAreAccurate() {
    Problem problem = WorkedExample.problem(0.02, 0.02, 0.05);
    Estimate settled = new Simulator(problem, 1_000_000).simulateUntilAccurate(PLAN);

    assertThat(settled.samples()).isBetween(2000, 100_000);
    assertThat(settled.samples() % SampleBlocks.SIZE).isZero();
    // These are exactly the first samples.
    assertThat(new Simulator(problem, settled.samples()).simulate(PLAN)).isEqualTo(settled);
    Estimate exact = new Simulator(problem, 400_000).simulate(PLAN);
    for (ToDoubleFunction<Estimate> figure : FIGURES) {
      // Four standard errors.
      assertThat(figure.applyAsDouble(settled))
          .isCloseTo(figure.applyAsDouble(exact), Percentage.withPercentage(0.2));
    }
  }

  @Test
  void neverExceedsTheMaximum() {
    for (int most : new int[] {1, 63, 64, 65, 999, 1000, 1023, 1024, 1025, 1300, 5000}) {
      assertThat(new Simulator(seeded(1), most).simulateUntilAccurate(PLAN).samples())
          .isEqualTo(most);
    }
  }

  @Test
  void smallSpreadNeedsFewSamples() {
    Problem nearlyExact = WorkedExample.problem(0.0001, 0, 0);

    assertThat(new Simulator(nearlyExact, 100_000).simulateUntilAccurate(PLAN).samples())
        .isEqualTo(1024);
    assertThat(
            new Simulator(WorkedExample.problem(0, 0, 0), 100_000)
                .simulateUntilAccurate(PLAN)
                .samples())
        .isEqualTo(1);
  }

  @Test
  void maximumEqualsFixedNumberOfSamples() {
    Estimate fixed = new Simulator(seeded(1), 2500).simulate(PLAN);

    assertThat(new Simulator(seeded(1), 2500).simulateUntilAccurate(PLAN)).isEqualTo(fixed);
  }

  @Test
  void reportsProgress() {
    for (int threads : List.of(1, 3)) {
      List<Integer> told = Collections.synchronizedList(new ArrayList<>());
      Estimate estimate =
          new Simulator(seeded(1), 2500, threads).simulateUntilAccurate(PLAN, told::add);

      assertThat(told).doesNotHaveDuplicates().hasSize(SampleBlocks.of(2500));
      assertThat(Collections.max(told)).isEqualTo(estimate.samples()).isEqualTo(2500);
    }
  }

  @Test
  void checksPercentilesAsWellAsTheMean() {
    // Mostly 100, one in twenty about 1,000: p95 may be either value.
    double[] draws = new double[10_000];
    DrawDistributions.of(new Spread(100, 0.001))
        .open(RandomStreams.of(1))
        .fill(draws, 0, draws.length);
    for (int i = 0; i < draws.length; i += 20) {
      draws[i] *= 10;
    }
    assertThat(SamplingErrors.ofMean(draws)).isLessThan(0.02 * mean(draws));
    assertThat(SamplingErrors.within(0.02, draws)).isFalse();
  }

  private static Problem seeded(long seed) {
    Problem problem = WorkedExample.problem(0.05, 0.10, 0.4);
    return new Problem(
        problem.workload(),
        problem.offers(),
        problem.profiles(),
        problem.gpusPerTrial(),
        problem.limits(),
        problem.running(),
        seed);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double deviation(double[] values) {
    double mean = mean(values);
    return Math.sqrt(
        Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1));
  }
}
