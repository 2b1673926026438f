package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.TimeLimit;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.plan.RungRuleBuilder;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the predictions of asynchronous searches against the examples of docs/searches.md. */
class RungPredictionTest {
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";
  private static final Percentage SAMPLING_ERROR = Percentage.withPercentage(0.3);
  private static final List<Integer> SMALL = List.of(1, 2, 4, 8);
  private static final List<Integer> LARGE = List.of(1, 3, 9, 27, 81);

  @ParameterizedTest
  @CsvSource({
    "first-best, 2×1 2×1, 16 8 4 2, 155.000, 435.000, 2.1420, 2.8560",
    "first-best, 2×1 2×2, 16 8 4 2, 155.000, 339.385, 1.9584, 2.2100",
    "first-best, 4×1 4×4, 16 8 4 2, 75.000, 252.694, 2.5602, 3.2368",
    "last-best, 2×1 2×1, 16 15 14 13, 355.000, 635.000, 4.2160, 4.2160",
    "last-best, 4×1 4×4, 16 10 6 4, 75.000, 297.771, 3.1790, 3.8488",
  })
  void matchesExamplesWithKnownRanks(
      String order,
      String sizes,
      String tasks,
      String closing,
      String seconds,
      String elastic,
      String held) {
    RankModel ranks = order.equals("first-best") ? RankModel.FIRST_BEST : RankModel.LAST_BEST;
    Problem problem = problem(SMALL, 16, 2);
    IncrementalSampling sampling = new Simulator(problem, 1, 1, ranks).sampling(plan(sizes, false));
    sampling.sampleUpTo(1);
    Estimate estimate = sampling.estimate();
    Estimate whole = new Simulator(problem, 1, 1, ranks).simulate(plan(sizes, true));

    assertThat(
            sampling.rungTasks().stream()
                .map(count -> String.valueOf(Math.round(count.mean())))
                .collect(Collectors.joining(" ")))
        .isEqualTo(tasks);
    assertThat(digits(3, estimate.groups().get(0).endS().mean())).isEqualTo(closing);
    assertThat(digits(3, estimate.completionS().mean())).isEqualTo(seconds);
    assertThat(digits(3, whole.completionS().mean())).isEqualTo(seconds);
    assertThat(digits(4, estimate.costUsd().mean())).isEqualTo(elastic);
    assertThat(digits(4, whole.costUsd().mean())).isEqualTo(held);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2×1 2×1, 183.3, 434.0, 475.0, 2.327, 9.03 5.19 2.95",
    "0.9, 2×1 2×2, 182.9, 361.0, 441.5, 2.168, 8.95 5.06 2.75",
  })
  void matchesExamplesWithSampledRanks(
      double correlation,
      String sizes,
      double closing,
      double seconds,
      double p95,
      double usd,
      String tasks) {
    IncrementalSampling sampling =
        new Simulator(problem(SMALL, 16, 2), 20_000, 1, RankModel.sampled(correlation))
            .sampling(plan(sizes, false));
    sampling.sampleUpTo(20_000);
    Estimate estimate = sampling.estimate();

    assertThat(estimate.groups().get(0).endS().mean()).isCloseTo(closing, SAMPLING_ERROR);
    assertThat(estimate.completionS().mean()).isCloseTo(seconds, SAMPLING_ERROR);
    assertThat(estimate.completionS().p95()).isCloseTo(p95, SAMPLING_ERROR);
    assertThat(estimate.costUsd().mean()).isCloseTo(usd, SAMPLING_ERROR);
    String[] each = tasks.split(" ", -1);
    List<Distribution> counts = sampling.rungTasks();
    for (int rung = 1; rung < counts.size(); rung++) {
      assertThat(counts.get(rung).mean())
          .isCloseTo(Double.parseDouble(each[rung - 1]), Percentage.withPercentage(1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3×1 3×1, 17.39, 30.06, 2962",
    "3×1 3×4, 14.22, 16.92, 1673",
    "6×1 6×4, 14.25, 22.86, 1135",
  })
  void matchesExamplesOfALargeSearch(String sizes, double usd, double held, double seconds) {
    Problem problem = problem(LARGE, 81, 3);
    Simulator simulator = new Simulator(problem, 1_000);
    Estimate estimate = simulator.simulate(plan(sizes, false));

    Percentage error = Percentage.withPercentage(1.5); // the figures have 100 samples
    assertThat(estimate.costUsd().mean()).isCloseTo(usd, error);
    assertThat(estimate.completionS().mean()).isCloseTo(seconds, error);
    assertThat(simulator.simulate(plan(sizes, true)).costUsd().mean()).isCloseTo(held, error);
  }

  /** The rank correlation of metrics hardly matters; 81 trials on 3 instances. */
  @ParameterizedTest
  @CsvSource({"1, 1690, 14.34", "0.9, 1671, 14.16", "0.5, 1641, 13.82", "0, 1622, 13.56"})
  void costsLittleLessWithALowerCorrelation(double correlation, double seconds, double usd) {
    Estimate estimate =
        new Simulator(problem(LARGE, 81, 3), 1_000, 1, RankModel.sampled(correlation))
            .simulate(plan("3×1 3×4", false));

    assertThat(estimate.completionS().mean()).isCloseTo(seconds, Percentage.withPercentage(1.5));
    assertThat(estimate.costUsd().mean()).isCloseTo(usd, Percentage.withPercentage(1.5));
  }

  /** The first fully trained trial with as many workers as trials, training time only. */
  @ParameterizedTest
  @CsvSource({
    "3, 9, 9, true, 1.444", "4, 256, 256, true, 1.332", "2, 64, 64, true, 1.984",
    "3, 9, 9, false, 1", "4, 256, 256, false, 1", "2, 64, 64, false, 1",
  })
  void trainsTheFirstTrialInTheTimeOfThePaper(
      int eta, int max, int workers, boolean fromScratch, double expected) {
    List<Integer> targets = new ArrayList<>();
    for (int unit = 1; unit <= max; unit *= eta) {
      targets.add(unit);
    }
    RungRule rule =
        new RungRule(
            targets,
            10 * workers,
            eta,
            Variant.PROMOTION,
            true,
            OptionalInt.empty(),
            OptionalInt.of(1),
            fromScratch);
    double seconds = FirstTrained.seconds(rule, workers);

    assertThat(seconds / max).isCloseTo(expected, within(0.0005));
  }

  @Test
  void releasesTheSecondInstanceInTheTail() {
    Estimate estimate =
        new Simulator(problem(SMALL, 16, 2), 1, 1, RankModel.FIRST_BEST)
            .simulate(plan("2×1 2×1", false));

    // Billed from 15 s: one instance to 435 s, the other to 225 s.
    assertThat(digits(6, estimate.costUsd().mean()))
        .isEqualTo(digits(6, (420 + 210) * 12.24 / 3600));
  }

  /** Also if the search ends at a time, and discards what runs then. */
  @Test
  void graphOfTheFirstSampleHasItsLength() {
    for (Variant variant : Variant.values()) {
      for (String sizes : List.of("1×1 1×1", "2×1 2×1", "3×2 1×4", "4×1 2×4", "4×4 4×4")) {
        for (int endS : new int[] {40, 150, 1_000_000}) {
          RungRule rule = RungRuleBuilder.builder(rule(SMALL, 16, 2)).variant(variant).build();
          Problem problem =
              problem(rule.withTime(Optional.of(new TimeLimit(OptionalDouble.of(endS)))));
          boolean keepsWidths = variant == Variant.STOPPING;
          String closing = keepsWidths ? "1" + sizes.substring(1, 3) : sizes.substring(4);
          Plan plan = plan(sizes.substring(0, 3) + " " + closing, false);
          Simulator simulator = new Simulator(problem, 1);

          CompletedDag dag = simulator.firstSample(plan);

          assertThat(dag.longestPathS())
              .as("%s %s %d", variant, plan, endS)
              .isCloseTo(simulator.sample(plan).completionS()[0], within(1e-9));
        }
      }
    }
  }

  /** The first trials reach the first rung after 75 s of boot, 10 s of start-up and 30 s. */
  @Test
  void searchThatEndsBeforeTheFirstRungHasNoResult() {
    for (Variant variant : Variant.values()) {
      for (double endS : new double[] {114, 116}) {
        RungRule rule = RungRuleBuilder.builder(rule(SMALL, 16, 2)).variant(variant).build();
        Problem problem =
            problem(rule.withTime(Optional.of(new TimeLimit(OptionalDouble.of(endS)))))
                .withLimits(
                    new Limits(OptionalDouble.of(1_000), OptionalDouble.empty(), 0.95, 64, 1e9));
        Simulator simulator = new Simulator(problem, 1);
        boolean hasResult = endS > 115;

        Estimate estimate = simulator.simulate(plan("1×1 1×1", false));
        JointSamples samples = simulator.sample(plan("1×1 1×1", false));

        assertThat(estimate.completionS().mean()).isEqualTo(endS);
        assertThat(estimate.withoutResult()).isEqualTo(hasResult ? 0 : 1);
        assertThat(estimate.onTime()).isEqualTo(hasResult ? 1 : 0);
        assertThat(samples.safeDeadlineS(0.9))
            .isEqualTo(hasResult ? endS : Double.POSITIVE_INFINITY);
      }
    }
  }

  /**
   * No trial is promoted but the best one, from the first rung to the last ({@code finish: best}).
   * Crashes of its task only delay it.
   */
  @Test
  void crashesOfTheFinalTaskOnlyDelayIt() {
    Problem problem = problem(List.of(1, 4, 16, 64), 3, 4);
    TrialFaultRates crashes =
        new TrialFaultRates(FaultRate.assumed(2), FaultRate.NONE, FaultRate.NONE);
    Problem faulty = problem.withFaults(offer -> InstanceFaultRates.NONE, profile -> crashes);
    Plan plan = plan("1×1 1×1", false);
    double withoutS = new Simulator(problem, 1).simulate(plan).completionS().mean();

    double[] seconds = new Simulator(faulty, 500).sample(plan).completionS();

    assertThat(Arrays.stream(seconds).min()).hasValueCloseTo(withoutS, within(1e-6));
    assertThat(Arrays.stream(seconds).max().orElseThrow()).isGreaterThan(withoutS + 60);
  }

  static Problem problem(List<Integer> targets, int trials, int eta) {
    return problem(rule(targets, trials, eta));
  }

  private static RungRule rule(List<Integer> targets, int trials, int eta) {
    return new RungRule(
        targets,
        trials,
        eta,
        Variant.PROMOTION,
        true,
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  static Problem problem(RungRule rule) {
    return new Problem(
        Workload.of(rule),
        List.of(WorkedExample.offer(0)),
        Map.of("V100", WorkedExample.profile(0, 0)),
        new IntRange(1, 64),
        WorkedExample.NO_LIMITS,
        HourlyCosts.NONE,
        1);
  }

  static Plan plan(String sizes, boolean hold) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (String size : sizes.split(" ", -1)) {
      String[] parts = size.split("×", -1);
      allocations.put(
          allocations.isEmpty() ? Workload.OPEN : Workload.CLOSING,
          new Allocation(OFFER, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), 1));
    }
    return new Plan(hold, allocations);
  }

  private static String digits(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
