package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.group.KnownStates;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that plans have the same samples if they continue from states of others. */
class KnownStatesTest {
  private static final int JOBS = RandomProblems.some(400);
  private static final int SAMPLES = 6;

  @Test
  void samplesDoNotDependOnStatesOfOtherPlans() {
    int compared = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 4 > 0);
      Problem any = jobs.problem();
      Problem problem = (seed % 3 > 0 ? jobs.withFaults(any) : any).withKeepAlive(seed % 5 > 2);
      List<Plan> plans = plans(problem, jobs.plan(problem), jobs.plan(problem));
      KnownStates states = new KnownStates(SAMPLES, 0, 0);
      Simulator many = new Simulator(problem, SAMPLES, 1, states, SamplingLimit.NONE);
      for (Plan plan : plans) {
        assertThat(many.simulate(plan))
            .as("seed " + seed + ", plan " + plan)
            .isEqualTo(new Simulator(problem, SAMPLES).simulate(plan));
      }
      compared += plans.size();
    }
    assertThat(compared).isGreaterThan(2 * JOBS);
  }

  /** Returns legal plans with the first groups of one plan and the last groups of another. */
  private static List<Plan> plans(Problem problem, Plan first, Plan last) {
    List<Plan> plans = new ArrayList<>(List.of(first));
    Plan mixed = first;
    List<TrialGroup> groups = problem.workload().groups();
    for (int i = groups.size() - 1; i > 0; i--) {
      TrialGroup group = groups.get(i);
      mixed = mixed.with(group.name(), last.of(group));
      if (PlanRules.faults(problem, mixed).isEmpty()) {
        plans.add(mixed);
      }
    }
    return plans;
  }
}
