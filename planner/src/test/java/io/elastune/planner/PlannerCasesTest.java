package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.LimitViolation;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Tests edge cases of jobs and limits. */
class PlannerCasesTest {
  private static final Profile V100 = TestJobs.profile("V100", TestJobs.RESNET50, 0, 0);

  @Test
  void infeasibleDeadlineHasANearestOne() {
    Problem problem = TestJobs.workedExample(TestJobs.deadline(100, 8));
    PlanResult.Infeasible answer = infeasible(problem);

    assertThat(answer.violated()).hasSize(1);
    assertThat(answer.violated().get(0).limit()).isEqualTo(LimitViolation.Limit.DEADLINE);
    double nearest = answer.nearest().deadlineS().orElseThrow();
    assertThat(answer.violated().get(0).increase()).isCloseTo(nearest - 100, within(1e-9));
    assertThat(answer.nearest().budgetUsd()).isEmpty();
    assertThat(found(TestJobs.workedExample(TestJobs.deadline(nearest, 8))).estimate().onTime())
        .isEqualTo(1);
    assertThat(infeasible(TestJobs.workedExample(TestJobs.deadline(nearest - 0.01, 8))))
        .isNotNull();
    assertThat(answer.baselines()).hasSize(4).noneMatch(Baseline::feasible);
  }

  @Test
  void infeasibleBudgetHasANearestOne() {
    PlanResult.Infeasible answer = infeasible(TestJobs.workedExample(TestJobs.budget(0.01, 8)));

    assertThat(answer.violated())
        .extracting(LimitViolation::limit)
        .containsExactly(LimitViolation.Limit.BUDGET);
    double nearest = answer.nearest().budgetUsd().orElseThrow();
    assertThat(found(TestJobs.workedExample(TestJobs.budget(nearest, 8))).estimate().inBudget())
        .hasValue(1);
    assertThat(infeasible(TestJobs.workedExample(TestJobs.budget(nearest - 1e-4, 8)))).isNotNull();
  }

  @Test
  void limitsInfeasibleTogetherAreBothReported() {
    Limits limits = TestJobs.limits(OptionalDouble.of(189.2), OptionalDouble.of(1.8), 8);
    PlanResult.Infeasible answer = infeasible(TestJobs.workedExample(limits));

    assertThat(answer.violated())
        .extracting(LimitViolation::limit)
        .containsExactly(LimitViolation.Limit.DEADLINE, LimitViolation.Limit.BUDGET);
    assertThat(answer.nearest().together()).isFalse();
    // The optimum for 189.2 s in docs/model.md.
    assertThat(answer.nearest().budgetUsd().orElseThrow()).isCloseTo(3.5224, within(5e-5));
    double deadlineS = answer.nearest().deadlineS().orElseThrow();
    Limits later = TestJobs.limits(OptionalDouble.of(deadlineS), OptionalDouble.of(1.8), 8);
    assertThat(found(TestJobs.workedExample(later)).estimate().costUsd().mean())
        .isLessThanOrEqualTo(1.8);
  }

  @Test
  void withSpreadTheNearestLimitsAreFeasible() {
    PlanResult.Infeasible answer =
        infeasible(TestJobs.workedExampleWithSpread(TestJobs.deadline(60, 8)));
    double nearest = answer.nearest().deadlineS().orElseThrow();
    assertThat(
            found(TestJobs.workedExampleWithSpread(TestJobs.deadline(nearest, 8)))
                .estimate()
                .onTime())
        .isGreaterThanOrEqualTo(0.95);
  }

  @Test
  void withoutDeadlineTheFastestPlanWins() {
    Problem problem = TestJobs.workedExample(TestJobs.budget(2.25, 8));
    BruteForce.SimulatedPlan best =
        BruteForce.front(TestJobs.workedExample(TestJobs.budget(2.25, 4))).items().stream()
            .filter(simulatedPlan -> simulatedPlan.costUsd() <= 2.25)
            .findFirst()
            .orElseThrow();
    PlanResult.Found found = found(problem);

    assertThat(found.estimate().costUsd().mean()).isLessThanOrEqualTo(2.25);
    assertThat(found.estimate().completionS().mean())
        .isLessThanOrEqualTo(best.completionS() + 1e-9);
    assertThat(found.optimum().proven()).isTrue();
  }

  @Test
  void aSingleTrialIsPlanned() {
    Problem problem =
        TestJobs.problem(TestJobs.chain(1, 5), TestJobs.p3(0), V100, TestJobs.deadline(1_000, 8));
    PlanResult.Found found = found(problem);
    assertThat(TestJobs.text(found.plan())).isEqualTo("1×4");
    assertThat(found.optimum().proven()).isTrue();
  }

  @Test
  void instancesOfOneGpuFormTeams() {
    Offer one = offer("p3.2xlarge", "V100", 1, 3.06);
    Problem problem =
        TestJobs.problem(TestJobs.chain(4, 1, 1, 8), one, V100, TestJobs.deadline(170, 8));
    BruteForce.SimulatedPlan best = BruteForce.front(problem).cheapestWithin(170).orElseThrow();
    PlanResult.Found found = found(problem);
    assertThat(found.plan()).isEqualTo(best.plan());
    assertThat(found.plan().allocations().get("2").gpusPerTrial()).isGreaterThan(1);
  }

  @Test
  void sizeSlowerThanASmallerOneIsNotUsed() {
    // ElasticFlow's YOLOv3 on T4: 1.89x, 3.00x, 1.39x at 2, 4, 8 GPUs.
    Map<Integer, Double> table = Map.of(1, 60.0, 2, 60 / 1.89, 4, 60 / 3.00, 8, 60 / 1.39);
    Offer eight = offer("g4dn.metal", "T4", 8, 7.824);
    Problem problem =
        TestJobs.problem(
            TestJobs.chain(2, 4, 1, 8),
            eight,
            TestJobs.profile("T4", table, 0, 0),
            TestJobs.deadline(100_000, 4));
    double fastestS = found(problem).frontier().get(0).completionS();
    PlanResult.Found found = found(problem.withLimits(TestJobs.deadline(fastestS, 4)));
    assertThat(TestJobs.text(found.plan())).isEqualTo("1×4 1×4");
  }

  @Test
  void trialsShareAGpuIfThatIsCheaper() {
    Profile sharing = TestJobs.profile("V100", Map.of(1, 30.0), Map.of(2, 33.0), 10, 0, 0);
    PlanResult.Found found =
        found(
            TestJobs.problem(
                TestJobs.chain(16, 4), TestJobs.p3(0), sharing, TestJobs.deadline(10_000, 8)));
    assertThat(TestJobs.text(found.plan())).endsWith("×1/2");
  }

  @Test
  void offersTooSmallForATrialAreReported() {
    Problem problem =
        TestJobs.problem(
            TestJobs.chain(4, 1),
            offer("g5.xlarge", "A10G", 1, 1.006),
            V100,
            TestJobs.deadline(1_000, 8));
    PlanResult answer = new Planner(problem, PlannerOptions.DEFAULT).plan();
    assertThat(answer).isInstanceOf(PlanResult.Impossible.class);
    assertThat(((PlanResult.Impossible) answer).reason())
        .contains("aws/us-east-1/g5.xlarge/on-demand")
        .contains("A10G");
  }

  @Test
  void twoHundredOffersArePlanned() {
    List<Offer> offers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      offers.add(offer("type" + i, "V100", 1 + i % 4, 3 + i % 4 * 3 + i * 0.01));
    }
    PlanResult.Found found =
        found(
            TestJobs.problem(
                TestJobs.chain(16, 1, 8, 1, 4, 2, 2, 4),
                offers,
                List.of(V100),
                TestJobs.deadline(400, 8)));
    assertThat(found.estimate().onTime()).isEqualTo(1);
  }

  @Test
  void hourlyBillingIsNotCalledProven() {
    BillingTerms hourly = new BillingTerms(BillingTerms.Per.INSTANCE, 3_600, 3_600, 0);
    Offer offer =
        TestJobs.offer("old", "V100", 4, 12.24, hourly, Spread.exactly(15), Spread.exactly(60));
    PlanResult.Found found =
        found(
            TestJobs.problem(
                TestJobs.chain(16, 1, 8, 1, 4, 2, 2, 4), offer, V100, TestJobs.deadline(3_000, 8)));
    assertThat(found.estimate().costUsd().mean()).isCloseTo(12.24, within(1e-9));
    assertThat(found.optimum().proven()).isFalse();
    assertThat(found.remarks()).anyMatch(remark -> remark.contains("increments"));
  }

  @Test
  void chainsShareTheInstances() {
    Workload hyperband =
        new Workload(
            List.of(
                TestJobs.chain("a", 9, 1, 3, 2, 1, 6),
                TestJobs.chain("b", 5, 3, 1, 6),
                TestJobs.chain("c", 3, 9)));
    double[] deadlines = {400, 800, 2_000};
    for (int most : new int[] {3, 5, 12}) {
      for (double deadlineS : deadlines) {
        Problem problem =
            TestJobs.problem(hyperband, TestJobs.p3(0), V100, TestJobs.deadline(deadlineS, most));
        PlanResult.Found found = found(problem);
        assertThat(PlanRules.faults(problem, found.plan())).isEmpty();
        assertThat(found.estimate().onTime()).isEqualTo(1);
        Baseline held = TestJobs.baseline(found.baselines(), "static");
        assertThat(found.estimate().costUsd().mean()).isLessThanOrEqualTo(held.costUsd() + 1e-9);
      }
    }
  }

  @Test
  void fewerInstancesThanChainsIsImpossible() {
    Workload two = new Workload(List.of(TestJobs.chain("a", 2, 1), TestJobs.chain("b", 1, 2)));
    Problem problem = TestJobs.problem(two, TestJobs.p3(0), V100, TestJobs.deadline(1_000, 1));
    assertThat(new Planner(problem, PlannerOptions.DEFAULT).plan())
        .isInstanceOf(PlanResult.Impossible.class);
  }

  private static Offer offer(String type, String gpu, int gpus, double usdPerHour) {
    return TestJobs.offer(
        type, gpu, gpus, usdPerHour, TestJobs.EC2, Spread.exactly(15), Spread.exactly(60));
  }

  private static PlanResult.Found found(Problem problem) {
    return TestJobs.found(problem, Kind.BEST);
  }

  private static PlanResult.Infeasible infeasible(Problem problem) {
    PlanResult answer = new Planner(problem, PlannerOptions.DEFAULT).plan();
    assertThat(answer).isInstanceOf(PlanResult.Infeasible.class);
    return (PlanResult.Infeasible) answer;
  }
}
