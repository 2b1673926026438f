package io.elastune.planner.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.TestJobs;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.SearchParameters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** One wave of each group on instances that boot slowly and are often lost. */
class SparePlansTest {
  private static final double DEADLINE_S = 2000;
  private static final Plan PLAIN = plan(4, 2);

  private final Problem problem = TestJobs.slowlyBooting(DEADLINE_S);
  private final PlanEvaluator evaluator = evaluator(problem);

  private static PlanEvaluator evaluator(Problem problem) {
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.GREEDY, 1_000, 0);
    return new PlanEvaluator(TestJobs.inputs(problem, options, false));
  }

  private static List<Plan> around(Problem problem, Optional<Evaluation> best) {
    return new SparePlans(problem, evaluator(problem), SearchParameters.DEFAULT.spareSearch())
        .around(List.of(PLAIN), best);
  }

  /** The plan misses the deadline after a loss; with a spare instance it does not. */
  @Test
  void addsInstancesToPlansThatJustMissTheDeadline() {
    assertThat(evaluator.meetsAllLimits(evaluator.evaluateForComparison(PLAIN))).isFalse();

    List<Plan> found = around(problem, Optional.empty());

    assertThat(found).isNotEmpty();
    for (Plan plan : found) {
      assertThat(plan.allocations().values()).anyMatch(allocation -> allocation.spare() == 1);
      assertThat(evaluator.meetsAllLimits(evaluator.evaluateForComparison(plan))).isTrue();
    }
  }

  @Test
  void findsOnlyPlansThatAreCheaperThanTheBest() {
    Evaluation best = evaluator.evaluateForComparison(PLAIN);

    assertThat(around(problem, Optional.of(best))).isEmpty();
  }

  @Test
  void plansWithoutFaultsOrDeadlineNeedNoSpareInstance() {
    Problem faultless =
        problem.withFaults(any -> InstanceFaultRates.NONE, any -> TrialFaultRates.NONE);
    Limits limits = problem.limits().within(OptionalDouble.empty(), problem.limits().budgetUsd());
    Problem unlimited = problem.withLimits(limits);

    assertThat(around(faultless, Optional.empty())).isEmpty();
    assertThat(around(unlimited, Optional.empty())).isEmpty();
  }

  private static Plan plan(int first, int second) {
    String offer = TestJobs.slowlyBooting(DEADLINE_S).offers().get(0).name();
    return new Plan(
        false,
        Map.of("1", new Allocation(offer, first, 1, 1), "2", new Allocation(offer, second, 1, 1)));
  }
}
