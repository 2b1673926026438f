package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the table of optima of docs/model.md, "Worked examples". */
class WorkedOptimaTest {
  private static final int MAX_INSTANCES = 8;

  @ParameterizedTest
  @CsvSource({
    "GREEDY, 189.2, 8×2 4×2 4×4 4×8, 186.061, 3.5224",
    "GREEDY, 257.9, 4×1 2×1 2×2 2×4, 242.163, 2.2304",
    "GREEDY, 429.9, 2×1 2×1 1×1 1×2, 339.171, 1.7170",
    "EXACT, 189.2, 8×2 4×2 4×4 4×8, 186.061, 3.5224",
    "EXACT, 257.9, 4×1 2×1 2×2 2×4, 242.163, 2.2304",
    "EXACT, 429.9, 2×1 2×1 1×1 1×2, 339.171, 1.7170",
    "BEST, 189.2, 8×2 4×2 4×4 4×8, 186.061, 3.5224",
    "BEST, 257.9, 4×1 2×1 2×2 2×4, 242.163, 2.2304",
    "BEST, 429.9, 2×1 2×1 1×1 1×2, 339.171, 1.7170",
    "STATIC, 189.2, '8×2 8×4 8×8 8×8, hold', 171.966, 4.2704",
    "STATIC, 257.9, '4×1 4×2 4×4 4×8, hold', 200.018, 2.5296",
    "STATIC, 429.9, '2×1 2×1 2×2 2×4, hold', 282.163, 1.8224",
  })
  void findsThePlansOfTheTable(
      Kind kind, double deadlineS, String plan, double completionS, double costUsd) {
    PlanResult.Found found =
        TestJobs.found(TestJobs.workedExample(TestJobs.deadline(deadlineS, MAX_INSTANCES)), kind);

    assertThat(TestJobs.text(found.plan())).isEqualTo(plan);
    assertThat(found.estimate().completionS().mean()).isCloseTo(completionS, within(5e-4));
    assertThat(found.estimate().costUsd().mean()).isCloseTo(costUsd, within(5e-5));
  }

  @ParameterizedTest
  @CsvSource({
    "189.2, '8×2 8×4 8×8 8×8, hold', 4.2704, 3.5224",
    "257.9, '4×1 4×2 4×4 4×8, hold', 2.5296, 2.2304",
    "429.9, '2×1 2×1 2×2 2×4, hold', 1.8224, 1.7170",
  })
  void reportsOptimumAndStaticCluster(
      double deadlineS, String staticPlan, double staticUsd, double optimumUsd) {
    PlanResult.Found found =
        TestJobs.found(
            TestJobs.workedExample(TestJobs.deadline(deadlineS, MAX_INSTANCES)), Kind.BEST);

    Baseline held = TestJobs.baseline(found.baselines(), "static");
    assertThat(TestJobs.text(held.plan().orElseThrow())).isEqualTo(staticPlan);
    assertThat(held.costUsd()).isCloseTo(staticUsd, within(5e-5));
    assertThat(held.feasible()).isTrue();
    assertThat(found.optimum().proven()).isTrue();
    assertThat(found.optimum().gap()).isZero();
    assertThat(found.optimum().costUsd()).isCloseTo(optimumUsd, within(5e-5));
    assertThat(TestJobs.baseline(found.baselines(), "lower-bound").costUsd())
        .isLessThanOrEqualTo(optimumUsd);
  }
}
