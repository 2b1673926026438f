package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.policy.PolicyOptions;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixedClusterPlannerTest {
  private static final Offer OFFER = TestJobs.p3(0);
  private static final PlannerOptions OPTIONS = new PlannerOptions(Kind.BEST, 400, 20_000);

  @Test
  void choosesTheSizesOfAHeldCluster() {
    PlanResult.Found found = found(problem(2, ListOptions.DEFAULT, TestJobs.deadline(3_000, 16)));

    assertThat(found.plan().hold()).isTrue();
    assertThat(found.plan().allocations().values())
        .extracting(Allocation::instances)
        .containsOnly(2);
    assertThat(found.plan().allocations().get("1").gpusPerTrial()).isEqualTo(1);
    assertThat(found.plan().allocations().get("4").gpusPerTrial()).isEqualTo(4);
    assertThat(found.optimum().proven()).isFalse();
    assertThat(found.optimum().boundUsd())
        .isPositive()
        .isLessThanOrEqualTo(found.estimate().costUsd().mean());
  }

  @Test
  void isAsFastAsTheBestOfAllSizes() {
    Problem problem = problem(2, ListOptions.DEFAULT, TestJobs.deadline(3_000, 16));
    double least = Double.POSITIVE_INFINITY;
    for (int a : List.of(1, 2, 4, 8)) {
      for (int b : List.of(1, 2, 4, 8)) {
        for (int c : List.of(1, 2, 4, 8)) {
          for (int d : List.of(1, 2, 4, 8)) {
            least = Math.min(least, completionS(problem, List.of(a, b, c, d)));
          }
        }
      }
    }

    assertThat(found(problem).estimate().completionS().mean()).isEqualTo(least);
  }

  /** With the variant stopping, both phases have one size: neither changes alone. */
  @Test
  void choosesTheSizeOfAStoppingSearch() {
    RungRule rule =
        new RungRule(
            List.of(1, 4, 16),
            2,
            4,
            RungRule.Variant.STOPPING,
            true,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false);
    Problem problem =
        problem(2, ListOptions.DEFAULT, TestJobs.deadline(3_000, 16))
            .withWorkload(Workload.of(rule));

    assertThat(found(problem).plan().allocations().values())
        .extracting(Allocation::gpusPerTrial)
        .containsOnly(4);
  }

  @Test
  void comparesFluidWithListScheduling() {
    PlanResult.Found list = found(problem(2, ListOptions.DEFAULT, TestJobs.deadline(3_000, 16)));
    PlanResult.Found fluid = found(problem(2, FluidOptions.DEFAULT, TestJobs.deadline(3_000, 16)));

    assertThat(TestJobs.baseline(fluid.baselines(), "list").completionS())
        .isEqualTo(list.estimate().completionS().mean());
    assertThat(fluid.estimate().completionS().mean())
        .isLessThanOrEqualTo(list.estimate().completionS().mean());
    assertThat(fluid.remarks()).anyMatch(remark -> remark.contains("policy fluid decides"));
  }

  /** Before the run it is unknown how many trials start: 100,000 never fit into 600 s. */
  @Test
  void boundsNoWorkOfSearchesThatEndAtTheirTime() {
    RungRule rule =
        new RungRule(
                List.of(1, 4, 16),
                RungRule.UNLIMITED,
                4,
                RungRule.Variant.PROMOTION,
                true,
                OptionalInt.empty(),
                OptionalInt.empty(),
                false)
            .withTime(Optional.of(new RungRule.TimeLimit(OptionalDouble.of(600))));
    Problem problem =
        TestJobs.workedExample(TestJobs.deadline(3_000, 16))
            .withWorkload(Workload.of(rule))
            .withCluster(new FixedCluster(2, FluidOptions.DEFAULT));
    List<Integer> reported = Collections.synchronizedList(new ArrayList<>());
    PlanResult result =
        new Planner(problem, OPTIONS, () -> false, (unit, done, most) -> reported.add(done)).plan();

    assertThat(result).isInstanceOf(PlanResult.Found.class);
    PlanResult.Found found = (PlanResult.Found) result;
    assertThat(found.estimate().completionS().mean()).isLessThanOrEqualTo(600);
    assertThat(found.optimum().boundUsd()).isLessThan(found.estimate().costUsd().mean());
    assertThat(found.optimum().gap()).isPositive();
    assertThat(found.baselines()).isEmpty();
    assertThat(reported).startsWith(0);
  }

  /** Hyperband(9, 3) of docs/searches.md: 534 s with one bracket after the other. */
  @ParameterizedTest
  @CsvSource({"1, 671.257", "2, 417.616"})
  void sharesTheClusterAmongBrackets(int instances, double completionS) {
    PlanResult.Found found = found(brackets(instances, new IntRange(1, 8)));

    assertThat(found.plan().shared()).isTrue();
    assertThat(found.plan().hold()).isTrue();
    assertThat(found.plan().allocations().values())
        .extracting(Allocation::instances)
        .containsOnly(instances);
    assertThat(found.estimate().completionS().mean()).isCloseTo(completionS, within(0.0005));
    assertThat(TestJobs.baseline(found.baselines(), "sequential").completionS())
        .isGreaterThan(1.2 * completionS);
    assertThat(found.optimum().boundUsd())
        .isPositive()
        .isLessThanOrEqualTo(found.estimate().costUsd().mean());
  }

  @Test
  void bracketsShareNoTrialsLargerThanAnInstance() {
    PlanResult result = new Planner(brackets(2, new IntRange(8, 8)), OPTIONS).plan();

    assertThat(result).isInstanceOf(PlanResult.Impossible.class);
    assertThat(((PlanResult.Impossible) result).reason()).contains("use brackets: sequential");
  }

  private static Problem brackets(int instances, IntRange gpus) {
    Problem base = problem(instances, ListOptions.DEFAULT, TestJobs.deadline(3_000, 16));
    Workload workload =
        new Workload(
            List.of(
                TestJobs.chain("a", 9, 1, 3, 2, 1, 6),
                TestJobs.chain("b", 5, 3, 1, 6),
                TestJobs.chain("c", 3, 9)));
    return new Problem(
            workload,
            base.offers(),
            base.profiles(),
            gpus,
            base.limits(),
            base.running(),
            base.seed())
        .withCluster(new FixedCluster(instances, ListOptions.DEFAULT));
  }

  @Test
  void showsTheNearestDeadline() {
    PlanResult result =
        new Planner(problem(2, FluidOptions.DEFAULT, TestJobs.deadline(120, 16)), OPTIONS).plan();

    assertThat(result).isInstanceOf(PlanResult.Infeasible.class);
    assertThat(((PlanResult.Infeasible) result).nearest().deadlineS().orElseThrow())
        .isBetween(200.0, 300.0);
  }

  @Test
  void namesAQuotaThatIsTooSmall() {
    PlanResult result =
        new Planner(problem(4, ListOptions.DEFAULT, TestJobs.deadline(3_000, 2)), OPTIONS).plan();

    assertThat(result).isInstanceOf(PlanResult.Impossible.class);
    assertThat(((PlanResult.Impossible) result).reason()).contains("at most 2 of 4 instances");
  }

  private static double completionS(Problem problem, List<Integer> sizes) {
    Map<String, Allocation> allocations = new TreeMap<>();
    for (int i = 0; i < sizes.size(); i++) {
      allocations.put(String.valueOf(i + 1), new Allocation(OFFER.name(), 2, sizes.get(i), 1));
    }
    return new Simulator(problem, 1).simulate(new Plan(true, allocations)).completionS().mean();
  }

  private static Problem problem(int instances, PolicyOptions policy, Limits limits) {
    return TestJobs.workedExample(limits).withCluster(new FixedCluster(instances, policy));
  }

  private static PlanResult.Found found(Problem problem) {
    PlanResult result = new Planner(problem, OPTIONS).plan();
    assertThat(result).isInstanceOf(PlanResult.Found.class);
    return (PlanResult.Found) result;
  }
}
