package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.plan.Plan;
import java.util.Locale;
import java.util.stream.Collectors;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks every worked example of docs/model.md to the digits shown there. */
class WorkedExamplesTest {
  private static final int SAMPLES = 200_000;
  private static final Percentage SAMPLING_ERROR = Percentage.withPercentage(0.3);

  @ParameterizedTest
  @CsvSource({
    "4×1 4×2 4×4 4×8, true, 200.018, 2.5296, 115.000 141.043 168.582 200.018",
    "4×1 2×1 2×2 2×4, false, 242.163, 2.2304, 115.000 155.000 197.086 242.163",
    "2×1 1×1 2×2 2×4, false, 364.249, 2.0570, 155.000 235.000 319.171 364.249",
    "3×1 3×1 3×3 2×4, false, 305.438, 2.7030, 155.000 195.000 260.360 305.438",
  })
  void matchesExamplesWithoutSpread(
      String sizes, boolean hold, String seconds, String usd, String ends) {
    Estimate estimate =
        new Simulator(WorkedExample.problem(0, 0, 0), 1000)
            .simulate(WorkedExample.plan(sizes, hold));

    assertThat(estimate.samples()).isEqualTo(1);
    assertThat(digits(3, estimate.completionS().mean())).isEqualTo(seconds);
    assertThat(digits(3, estimate.completionS().p95())).isEqualTo(seconds);
    assertThat(digits(4, estimate.costUsd().mean())).isEqualTo(usd);
    assertThat(
            estimate.groups().stream()
                .map(group -> digits(3, group.endS().mean()))
                .collect(Collectors.joining(" ")))
        .isEqualTo(ends);
    assertThat(estimate.costBy().total()).isCloseTo(estimate.costUsd().mean(), within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({
    "8×2 8×4 8×8 8×8, true, 171.966, 4.2704",
    "8×2 4×2 4×4 4×8, false, 186.061, 3.5224",
    "2×1 2×1 2×2 2×4, true, 282.163, 1.8224",
    "2×1 2×1 1×1 1×2, false, 339.171, 1.7170",
  })
  void matchesBestStaticAndOptimum(String sizes, boolean hold, String seconds, String usd) {
    Estimate estimate =
        new Simulator(WorkedExample.problem(0, 0, 0), 1).simulate(WorkedExample.plan(sizes, hold));

    assertThat(digits(3, estimate.completionS().mean())).isEqualTo(seconds);
    assertThat(digits(4, estimate.costUsd().mean())).isEqualTo(usd);
  }

  @ParameterizedTest
  @CsvSource({
    "4×1 4×2 4×4 4×8, true, 224.41, 248.45, 2.8547",
    "4×1 2×1 2×2 2×4, false, 269.88, 292.38, 2.3519",
    "2×1 1×1 2×2 2×4, false, 391.27, 431.24, 2.1535",
    "3×1 3×1 3×3 2×4, false, 301.49, 327.35, 2.6540",
  })
  void matchesExamplesWithSpread(
      String sizes, boolean hold, double meanS, double p95S, double meanUsd) {
    Estimate estimate =
        new Simulator(WorkedExample.problem(0.05, 0.10, 0.4), SAMPLES)
            .simulate(WorkedExample.plan(sizes, hold));

    assertThat(estimate.samples()).isEqualTo(SAMPLES);
    assertThat(estimate.completionS().mean()).isCloseTo(meanS, SAMPLING_ERROR);
    assertThat(estimate.completionS().p95()).isCloseTo(p95S, SAMPLING_ERROR);
    assertThat(estimate.costUsd().mean()).isCloseTo(meanUsd, SAMPLING_ERROR);
    assertThat(estimate.costBy().total()).isCloseTo(estimate.costUsd().mean(), within(1e-9));
    assertThat(
            estimate.groups().stream()
                .map(GroupEstimate::costUsd)
                .mapToDouble(cost -> cost.mean())
                .sum())
        .isCloseTo(estimate.costUsd().mean(), within(1e-9));
  }

  @Test
  void matchesExampleWithSpareInstance() {
    Simulator simulator = new Simulator(WorkedExample.problem(0, 0, 0), 1);
    Plan plan = WorkedExample.plan("4×1 2×1 2×2 2×4", false);
    Plan spared = plan.with("4", plan.allocations().get("4").withMoreSpare(1));

    Estimate estimate = simulator.simulate(spared);

    assertThat(digits(3, estimate.completionS().mean())).isEqualTo("242.163");
    assertThat(digits(4, estimate.costUsd().mean())).isEqualTo("2.4344");
    Plan surplus = plan.with("4", plan.allocations().get("4").withInstances(3));
    assertThat(digits(4, simulator.simulate(surplus).costUsd().mean())).isEqualTo("2.2304");
  }

  private static String digits(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
