package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.simulator.Simulator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests plans of jobs whose programs wait for the next group of their trial. */
class KeepAlivePlansTest {
  private static final int PLANS = 100;

  @Test
  void plansKeepInstancesOnWhichTrialsContinue() {
    Problem waits = problem().withKeepAlive(true);
    PlanResult.Found started = TestJobs.found(problem(), Kind.GREEDY);
    double usd = new Simulator(waits, 1000).simulate(started.plan()).costUsd().mean();

    PlanResult.Found found = TestJobs.found(waits, Kind.GREEDY);

    assertThat(found.estimate().costUsd().mean()).isLessThan(0.95 * usd);
  }

  /** Which trials continue is random, so that no plan is proven, although no duration varies. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"GREEDY", "EXACT"})
  void noPlanCostsLessThanTheBound(Kind kind) {
    Problem waits = problem().withKeepAlive(true);
    PlanResult.Found found = TestJobs.found(waits, kind);

    assertThat(found.optimum().proven()).isFalse();
    assertThat(found.optimum().guide()).isFalse();
    assertThat(found.remarks()).anyMatch(remark -> remark.contains("trial.keep_alive"));
    Simulator simulator = new Simulator(waits, 200);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < PLANS; i++) {
      Plan plan = plan(waits, random);
      assertThat(simulator.simulate(plan).costUsd().mean())
          .as("%s", plan)
          .isGreaterThanOrEqualTo(found.optimum().boundUsd());
    }
  }

  private static Plan plan(Problem problem, SplittableRandom random) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    int instances = 1 + random.nextInt(4);
    for (TrialGroup group : problem.workload().groups()) {
      instances = Math.max(1, instances - random.nextInt(2));
      int gpus = random.nextInt(3) == 0 ? 2 : 1;
      allocations.put(
          group.name(), new Allocation(problem.offers().get(0).name(), instances, gpus, 1));
    }
    return new Plan(false, allocations);
  }

  /** Start-ups take ten times as long as a unit. */
  private static Problem problem() {
    return TestJobs.problem(
        TestJobs.chain(8, 1, 4, 1, 2, 2, 1, 4),
        TestJobs.p3(0),
        TestJobs.profile("V100", TestJobs.RESNET50, Map.of(), 300, 0, 0),
        TestJobs.deadline(3600, 4));
  }
}
