package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Metric;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.search.LearningCurves;
import io.elastune.simulator.rank.RankModel;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the predictions of Hermes (docs/searches.md, "Hermes"). */
class HermesPredictionTest {
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";
  private static final double USD_PER_S = 12.24 / 3600;
  private static final double QUEUE_S = 15;
  private static final double READY_S = 75;

  /** Start-up and two units. */
  private static final double SLICE_S = 10 + 2 * 30;

  /**
   * Two trials of two slices on each GPU. If the first improves faster, the second is preempted
   * after its first slice: four attempts. Otherwise it continues without a start-up.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void matchesTheExample(boolean isMinimized) {
    HermesOptions options = HermesOptions.DEFAULT.forMetric(isMinimized);
    Estimate first = simulate(problem(8, 0, options), 10, RankModel.FIRST_BEST);
    Estimate last = simulate(problem(8, 0, options), 10, RankModel.LAST_BEST);

    double endS = READY_S + 4 * SLICE_S;
    assertThat(first.completionS().mean()).isCloseTo(endS, within(1e-6));
    assertThat(first.costUsd().mean()).isCloseTo(USD_PER_S * (endS - QUEUE_S), within(1e-9));
    assertThat(last.completionS().mean()).isCloseTo(endS - 10, within(1e-6));
  }

  @Test
  void decidesByCurves() {
    Problem problem = problem(8, 0, HermesOptions.DEFAULT);

    assertThat(simulate(problem, 10, RankModel.recorded(curves(8, 1))).completionS().mean())
        .isCloseTo(READY_S + 4 * SLICE_S, within(1e-6));
    assertThat(simulate(problem, 10, RankModel.recorded(curves(8, -1))).completionS().mean())
        .isCloseTo(READY_S + 4 * SLICE_S - 10, within(1e-6));
  }

  /** Without curves, assumed ones are drawn for every sample. */
  @Test
  void drawsCurves() {
    Problem problem = problem(8, 0, HermesOptions.DEFAULT);
    Estimate estimate = simulate(problem, 400, RankModel.ASSUMED);

    // The longest of four GPUs: only if the second trial is better on each, none is preempted.
    assertThat(estimate.completionS().p5()).isEqualTo(READY_S + 4 * SLICE_S - 10, within(1e-6));
    assertThat(estimate.completionS().p95()).isEqualTo(READY_S + 4 * SLICE_S, within(1e-6));
    assertThat(estimate.completionS().mean())
        .isCloseTo(READY_S + 4 * SLICE_S - 10 / 16.0, within(0.4));
    assertThat(new Simulator(problem, 400, 3).simulate(plan(1))).isEqualTo(estimate);
  }

  @Test
  void needsOneGpuPerTrialAndOneGroup() {
    Problem problem = problem(8, 0, HermesOptions.DEFAULT);
    Simulator simulator = new Simulator(problem, 1);

    assertThatThrownBy(() -> simulator.simulate(plan(2)))
        .isInstanceOf(IllegalPlanException.class)
        .hasMessageContaining("must be 1 with policy hermes");
    Problem halving =
        WorkedExample.problem(0, 0, 0).withCluster(new FixedCluster(1, HermesOptions.DEFAULT));
    assertThatThrownBy(
            () -> new Simulator(halving, 1).simulate(WorkedExample.plan("1×1 1×1 1×1 1×1", true)))
        .isInstanceOf(IllegalPlanException.class)
        .hasMessageContaining("hermes works with random and grid");
  }

  private static Estimate simulate(Problem problem, int samples, RankModel ranks) {
    return new Simulator(problem, samples, 1, ranks).simulate(plan(1));
  }

  private static Plan plan(int gpus) {
    return new Plan(true, Map.of("1", new Allocation(OFFER, 1, gpus, 1)));
  }

  private static Problem problem(int trials, double trialCv, HermesOptions options) {
    return WorkedExample.problem(
            List.of(new Chain("", List.of(new TrialGroup("1", trials, 0, 4)))),
            List.of(WorkedExample.offer(0)),
            WorkedExample.profile(trialCv, 0))
        .withCluster(new FixedCluster(1, options));
  }

  /** Linear curves: with a positive direction, the first trials improve fastest. */
  private static LearningCurves curves(int trials, int direction) {
    SortedMap<Integer, NavigableMap<Integer, LearningCurves.Point>> points = new TreeMap<>();
    for (int trial = 1; trial <= trials; trial++) {
      NavigableMap<Integer, LearningCurves.Point> curve = new TreeMap<>();
      double rate = 1 - 0.01 * direction * trial;
      for (int unit = 1; unit <= 4; unit++) {
        curve.put(unit, new LearningCurves.Point(rate * unit, OptionalDouble.empty()));
      }
      points.put(trial, curve);
    }
    return new LearningCurves(Metric.Goal.MAXIMIZE, points);
  }
}
