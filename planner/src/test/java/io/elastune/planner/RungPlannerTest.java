package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RungPlannerTest {
  private static final PlannerOptions OPTIONS = new PlannerOptions(Kind.BEST, 1_000, 100_000);

  @Test
  void costsLessThanTheBestStaticClusterAndMoreThanTheBound() {
    PlanResult.Found found = found(problem(Variant.PROMOTION, 500), OPTIONS);

    double usd = found.estimate().costUsd().mean();
    assertThat(usd).isLessThan(0.95 * baseline(found, "static").costUsd());
    assertThat(usd).isGreaterThanOrEqualTo(found.optimum().boundUsd());
    assertThat(found.optimum().proven()).isFalse();
    assertThat(found.estimate().completionS().p95()).isLessThanOrEqualTo(500);
    assertThat(found.remarks()).anyMatch(text -> text.contains("promoted is random"));
  }

  @ParameterizedTest
  @EnumSource(Variant.class)
  void isCheaperWithMoreTime(Variant variant) {
    double tight = found(problem(variant, 420), OPTIONS).estimate().costUsd().mean();
    double loose = found(problem(variant, 1_500), OPTIONS).estimate().costUsd().mean();

    assertThat(loose).isLessThan(tight * 1.001);
  }

  /** Step by step, the planner finds a plan that is nearly as good as the best of all. */
  @Test
  void greedyIsNearTheBestOfAllPlans() {
    Problem problem = problem(Variant.PROMOTION, 500);
    double best = found(problem, OPTIONS).estimate().costUsd().mean();
    double greedy = found(problem, OPTIONS.withKind(Kind.GREEDY)).estimate().costUsd().mean();

    assertThat(greedy).isLessThan(best * 1.05);
  }

  @Test
  void releasesNothingInAStaticPlan() {
    PlanResult.Found found = found(problem(Variant.PROMOTION, 500), OPTIONS.withKind(Kind.STATIC));
    Plan plan = found.plan();

    assertThat(plan.hold()).isTrue();
    assertThat(plan.allocations().values().stream().map(Allocation::instances).distinct())
        .hasSize(1);
  }

  @Test
  void showsTheNearestLimitsIfNoPlanMeetsThem() {
    PlanResult result = new Planner(problem(Variant.PROMOTION, 100), OPTIONS).plan();

    assertThat(result).isInstanceOf(PlanResult.Infeasible.class);
    PlanResult.Infeasible infeasible = (PlanResult.Infeasible) result;
    assertThat(infeasible.nearest().deadlineS().orElseThrow()).isBetween(200.0, 500.0);
  }

  private static Baseline baseline(PlanResult.Found found, String name) {
    return found.baselines().stream()
        .filter(baseline -> baseline.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static PlanResult.Found found(Problem problem, PlannerOptions options) {
    return (PlanResult.Found) new Planner(problem, options).plan();
  }

  private static Problem problem(Variant variant, double deadlineS) {
    RungRule rule =
        new RungRule(
            List.of(1, 2, 4, 8),
            16,
            2,
            variant,
            true,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false);
    return TestJobs.workedExampleWithSpread(
            new Limits(OptionalDouble.of(deadlineS), OptionalDouble.empty(), 0.95, 6, 1e9))
        .withWorkload(Workload.of(rule));
  }
}
