package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Brackets;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolPlannerTest {
  private static final PlannerOptions OPTIONS = new PlannerOptions(Kind.GREEDY, 400, 20_000);

  /** A cost that docs/searches.md states; with -Delastune.pool.all=true all of them are checked. */
  @Test
  void findsAPlanOfHyperbandAsCheapAsDocumented() {
    isAsCheapAs(2_400, 46.30);
    if (Boolean.getBoolean("elastune.pool.all")) {
      isAsCheapAs(1_800, 47.31);
      isAsCheapAs(3_677, 44.36);
      isAsCheapAs(7_200, 43.50);
    }
  }

  private static void isAsCheapAs(double deadlineS, double usd) {
    PlanResult.Found found =
        found(large(TestJobs.deadline(deadlineS, 64), 0), OPTIONS, Brackets.SHARED);

    assertThat(found.plan().shared()).isTrue();
    assertThat(found.estimate().costUsd().mean()).isLessThan(usd + 0.005);
    assertThat(found.estimate().completionS().p95()).isLessThanOrEqualTo(deadlineS);
    assertThat(found.optimum().boundUsd()).isGreaterThan(42.06);
    assertThat(TestJobs.baseline(found.baselines(), "separate").costUsd()).isGreaterThan(usd);
  }

  @ParameterizedTest
  @CsvSource({"350, 0", "900, 0", "450, 0.1"})
  void autoIsNeverMoreExpensiveThanSeparate(double deadlineS, double cv) {
    Problem problem = small(TestJobs.deadline(deadlineS, 16), cv);
    PlanResult.Found separate = found(problem, OPTIONS, Brackets.SEPARATE);
    PlanResult.Found auto = found(problem, OPTIONS, Brackets.AUTO);

    assertThat(auto.estimate().costUsd().mean())
        .isLessThanOrEqualTo(separate.estimate().costUsd().mean());
    assertThat(auto.estimate().completionS().p95()).isLessThanOrEqualTo(deadlineS);
  }

  @Test
  void runsMoreBracketsThanInstances() {
    Problem problem = small(TestJobs.deadline(3_000, 2), 0);
    PlanResult separate = new Planner(problem, OPTIONS).plan();
    PlanResult.Found auto = found(problem, OPTIONS, Brackets.AUTO);

    assertThat(separate).isInstanceOf(PlanResult.Impossible.class);
    assertThat(auto.plan().allocations().values())
        .extracting(Allocation::instances)
        .allMatch(instances -> instances <= 2);
  }

  @Test
  void reachedTimeLimitStillLeavesAPlan() {
    Problem problem = small(TestJobs.deadline(3_000, 16), 0);
    PlanResult result =
        new Planner(problem, OPTIONS.withBrackets(Brackets.SHARED), () -> true).plan();

    PlanResult.Found found = (PlanResult.Found) result;
    assertThat(found.plan().shared()).isTrue();
    assertThat(found.remarks()).anyMatch(remark -> remark.contains("the time limit was reached"));
  }

  @Test
  void findsTheFastestPlanWithinABudget() {
    Problem problem = small(TestJobs.budget(3, 16), 0);
    PlanResult.Found found = found(problem, OPTIONS, Brackets.SHARED);

    assertThat(found.estimate().costUsd().p95()).isLessThanOrEqualTo(3);
    assertThat(found.estimate().completionS().mean()).isLessThan(341);
  }

  @Test
  void showsTheNearestLimitsIfNoPlanMeetsThem() {
    PlanResult result =
        new Planner(small(TestJobs.deadline(150, 16), 0), OPTIONS.withBrackets(Brackets.SHARED))
            .plan();

    assertThat(result).isInstanceOf(PlanResult.Infeasible.class);
    assertThat(((PlanResult.Infeasible) result).nearest().deadlineS().orElseThrow())
        .isBetween(150.0, 400.0);
  }

  @Test
  void holdsAStaticPool() {
    PlannerOptions options = OPTIONS.withKind(Kind.STATIC);
    PlanResult.Found found = found(small(TestJobs.deadline(900, 16), 0), options, Brackets.SHARED);

    assertThat(found.plan().hold()).isTrue();
  }

  private static PlanResult.Found found(
      Problem problem, PlannerOptions options, Brackets brackets) {
    PlanResult result = new Planner(problem, options.withBrackets(brackets)).plan();
    assertThat(result).isInstanceOf(PlanResult.Found.class);
    return (PlanResult.Found) result;
  }

  /** Hyperband(9, 3). */
  private static Problem small(Limits limits, double cv) {
    return problem(
        limits,
        cv,
        new Workload(
            List.of(
                TestJobs.chain("a", 9, 1, 3, 2, 1, 6),
                TestJobs.chain("b", 5, 3, 1, 6),
                TestJobs.chain("c", 3, 9))));
  }

  /** Hyperband(81, 3). */
  private static Problem large(Limits limits, double cv) {
    return problem(
        limits,
        cv,
        new Workload(
            List.of(
                TestJobs.chain("a", 81, 1, 27, 2, 9, 6, 3, 18, 1, 54),
                TestJobs.chain("b", 34, 3, 11, 6, 3, 18, 1, 54),
                TestJobs.chain("c", 15, 9, 5, 18, 1, 54),
                TestJobs.chain("d", 8, 27, 2, 54),
                TestJobs.chain("e", 5, 81))));
  }

  private static Problem problem(Limits limits, double cv, Workload workload) {
    return TestJobs.problem(
        workload, TestJobs.p3(0), TestJobs.profile("V100", TestJobs.RESNET50, cv, cv), limits);
  }
}
