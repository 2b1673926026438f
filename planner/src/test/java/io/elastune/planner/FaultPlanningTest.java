package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.Simulator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans for the worked example, where instances often fail and boot slowly. */
class FaultPlanningTest {
  private static final int SAMPLES = Tier.runs(8_000, 20_000);
  private static final double SAMPLING_ERROR = Tier.isNightly() ? 0.005 : 0.008;

  private static final InstanceFaultRates INSTANCES =
      new InstanceFaultRates(
          FaultRate.NONE,
          0,
          FaultRate.assumed(0.01),
          FaultRate.assumed(0.02),
          3,
          FaultRate.assumed(2),
          FaultRate.NONE,
          0,
          0);

  private static final TrialFaultRates TRIALS =
      new TrialFaultRates(FaultRate.assumed(0.2), FaultRate.NONE, FaultRate.assumed(0.002));

  @ParameterizedTest
  @ValueSource(doubles = {420, 450, 480, 560})
  void chanceConstraintHoldsWithFaults(double deadlineS) {
    Problem without = TestJobs.workedExampleWithSpread(TestJobs.deadline(deadlineS, 8));
    Problem faulty = without.withFaults(offer -> INSTANCES, profile -> TRIALS);
    double confidence = faulty.limits().confidence();
    Plan robust = TestJobs.found(faulty, PlannerOptions.Kind.GREEDY).plan();
    Plan fragile = TestJobs.found(without, PlannerOptions.Kind.GREEDY).plan();

    // Other random numbers than those of the planner.
    Simulator simulator = new Simulator(reseeded(faulty), SAMPLES);
    Estimate ofRobust = simulator.simulate(robust);
    Estimate ofFragile = simulator.simulate(fragile);
    assertThat(ofRobust.onTime()).isGreaterThan(confidence - SAMPLING_ERROR);
    assertThat(ofFragile.onTime()).isLessThan(confidence);
    assertThat(ofRobust.costUsd().mean()).isGreaterThan(ofFragile.costUsd().mean());
  }

  /** Where instances boot slowly and are often lost, a spare one is cheaper than other sizes. */
  @ParameterizedTest
  @ValueSource(doubles = {1900, 2000})
  void spareInstanceIsPaidWhereItIsCheapest(double deadlineS) {
    Problem problem = TestJobs.slowlyBooting(deadlineS);
    double confidence = problem.limits().confidence();
    Plan plan = TestJobs.found(problem, PlannerOptions.Kind.GREEDY).plan();

    assertThat(plan.allocations().values()).anyMatch(allocation -> allocation.spare() > 0);
    assertThat(new Simulator(reseeded(problem), SAMPLES).simulate(plan).onTime())
        .isGreaterThan(confidence - SAMPLING_ERROR);
    assertThat(new Simulator(reseeded(problem), SAMPLES).simulate(withoutSpare(plan)).onTime())
        .isLessThan(confidence);
  }

  /** Without faults, the slower type meets the deadline for less. */
  @Test
  void fasterTypeIsPaidWhereItIsCheapest() {
    Problem faulty = TestJobs.withFasterType(TestJobs.slowlyBooting(1850));
    Problem without =
        faulty.withFaults(offer -> InstanceFaultRates.NONE, profile -> profile.faults());

    assertThat(TestJobs.found(without, PlannerOptions.Kind.GREEDY).plan().allocations().values())
        .allMatch(allocation -> allocation.offer().contains("p3"));
    assertThat(TestJobs.found(faulty, PlannerOptions.Kind.GREEDY).plan().allocations().values())
        .allMatch(allocation -> allocation.offer().contains("p4"));
  }

  @Test
  void noSpareInstanceIsPaidWithTimeToSpare() {
    Plan plan = TestJobs.found(TestJobs.slowlyBooting(2300), PlannerOptions.Kind.GREEDY).plan();

    assertThat(plan.allocations().values()).allMatch(allocation -> allocation.spare() == 0);
  }

  private static Plan withoutSpare(Plan plan) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    plan.allocations()
        .forEach((group, now) -> allocations.put(group, now.withMoreSpare(-now.spare())));
    return new Plan(false, allocations);
  }

  private static Problem reseeded(Problem problem) {
    return new Problem(
        problem.workload(),
        problem.offers(),
        problem.profiles(),
        problem.gpusPerTrial(),
        problem.limits(),
        problem.running(),
        problem.seed() + 1);
  }
}
