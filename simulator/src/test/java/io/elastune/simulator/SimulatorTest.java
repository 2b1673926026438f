package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.allocation.PlanFault;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.group.ExecutionDag;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.Percentiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SimulatorTest {
  private static final Problem EXACT = WorkedExample.problem(0, 0, 0);

  @Test
  void rejectsIllegalPlansWithAllFaults() {
    assertThatThrownBy(
            () -> new Simulator(EXACT, 1).simulate(WorkedExample.plan("1×8 2×6 4×4", false)))
        .isInstanceOfSatisfying(
            IllegalPlanException.class,
            refused ->
                assertThat(refused.faults())
                    .extracting(PlanFault::group)
                    .containsExactly("1", "2", "4"));
  }

  @Test
  void requiresAtLeastOneSample() {
    assertThatThrownBy(() -> new Simulator(EXACT, 0)).hasMessageContaining("samples");
  }

  @Test
  void limitsAreInclusive() {
    Problem problem =
        EXACT.withLimits(
            new Limits(
                OptionalDouble.of(new Simulator(EXACT, 1).simulate(plan()).completionS().mean()),
                OptionalDouble.of(2.2304),
                0.95,
                64,
                Double.POSITIVE_INFINITY));
    Estimate estimate = new Simulator(problem, 1).simulate(plan());

    assertThat(estimate.onTime()).isEqualTo(1);
    assertThat(estimate.inBudget()).hasValue(1);
  }

  @Test
  void limitsTolerateOnlyRoundingErrors() {
    double endS = new Simulator(EXACT, 1).simulate(plan()).completionS().mean();

    assertThat(onTime(endS * (1 - 5e-10))).isEqualTo(1);
    assertThat(onTime(endS * (1 - 5e-9))).isZero();
  }

  private static double onTime(double deadlineS) {
    Limits limits =
        new Limits(
            OptionalDouble.of(deadlineS),
            OptionalDouble.empty(),
            0.95,
            64,
            Double.POSITIVE_INFINITY);
    return new Simulator(EXACT.withLimits(limits), 1).simulate(plan()).onTime();
  }

  @Test
  void allowsUnmeasuredOffersThatAreNotUsed() {
    List<Offer> offers = new ArrayList<>(EXACT.offers());
    offers.add(
        WorkedExample.offer(
            "g5.xlarge", "A10G", 1, BillingTerms.BY_THE_SECOND, Spread.NONE, Spread.NONE));
    Problem wider = EXACT.with(offers, EXACT.profiles());

    assertThat(new Simulator(wider, 1).simulate(plan()))
        .isEqualTo(new Simulator(EXACT, 1).simulate(plan()));
  }

  @Test
  void isAlwaysOnTimeWithoutLimits() {
    Estimate estimate = new Simulator(EXACT, 1).simulate(plan());

    assertThat(estimate.onTime()).isEqualTo(1);
    assertThat(estimate.inBudget()).isEmpty();
  }

  @Test
  void comparesPlansWithCommonRandomNumbers() {
    Simulator simulator = new Simulator(WorkedExample.problem(0.05, 0.10, 0.4), 500);
    JointSamples shrinking = simulator.sample(WorkedExample.plan("4×1 2×1 2×2 2×4", false));
    JointSamples shrinkingLater = simulator.sample(WorkedExample.plan("4×1 2×1 2×2 1×4", false));
    JointSamples again = simulator.sample(WorkedExample.plan("4×1 2×1 2×2 2×4", false));

    // One instance less for the last group's two trials of equal size is never faster.
    for (int i = 0; i < 500; i++) {
      assertThat(shrinkingLater.completionS()[i]).isGreaterThan(shrinking.completionS()[i]);
    }
    assertThat(again.completionS()).isEqualTo(shrinking.completionS());
    assertThat(again.costUsd()).isEqualTo(shrinking.costUsd());
  }

  @Test
  void percentilesInterpolateBetweenRanks() {
    Distribution distribution = new Percentiles(5).of(new double[] {50, 10, 40, 20, 30});

    assertThat(distribution.mean()).isEqualTo(30);
    assertThat(distribution.p5()).isCloseTo(12, within(1e-12));
    assertThat(distribution.p50()).isEqualTo(30);
    assertThat(distribution.p95()).isCloseTo(48, within(1e-12));
    assertThat(new Percentiles(1).of(new double[] {7})).isEqualTo(new Distribution(7, 7, 7, 7));
  }

  @Test
  void ordersGroupsAfterTheirPredecessors() {
    Chain a = new Chain("a", List.of(group("a.1"), group("a.2"), group("a.3")));
    Chain b = new Chain("b", List.of(group("b.1"), group("b.2")));
    ExecutionDag dag = new ExecutionDag(new Workload(List.of(a, b)));
    List<Integer> order = Arrays.stream(dag.order()).boxed().toList();

    assertThat(order).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    for (int group : order) {
      for (int before : dag.predecessors(group)) {
        assertThat(order.indexOf(before)).isLessThan(order.indexOf(group));
      }
    }
    assertThat(dag.predecessors(0)).isEmpty();
    assertThat(dag.predecessors(2)).containsExactly(1);
    assertThat(dag.predecessors(3)).isEmpty();
  }

  private static Plan plan() {
    return WorkedExample.plan("4×1 2×1 2×2 2×4", false);
  }

  private static TrialGroup group(String name) {
    return new TrialGroup(name, 1, 0, 1);
  }
}
