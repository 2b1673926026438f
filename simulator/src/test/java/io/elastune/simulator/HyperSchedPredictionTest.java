package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.allocation.HyperSchedRules;
import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Metric;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.LearningCurves;
import io.elastune.simulator.rank.RankModel;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Checks the predictions of HyperSched (docs/searches.md, "HyperSched"). */
class HyperSchedPredictionTest {
  private static final double USD_PER_S = 12.24 / 3600;
  private static final double QUEUE_S = 15;
  private static final double READY_S = 75;

  /** Trials approach qualities that are drawn. Few of them end long before a late deadline. */
  @Test
  void playsSyntheticCurvesWithoutOthers() {
    Estimate few = new Simulator(problem(1, 2, 40_000, 0), 100).simulate(plan(1));
    Estimate many = new Simulator(problem(2, 100, 600, 0), 100).simulate(plan(2));

    assertThat(few.completionS().p95()).isLessThan(READY_S + 4 * 40);
    assertThat(few.costUsd().mean())
        .isCloseTo(USD_PER_S * (few.completionS().mean() - QUEUE_S), within(USD_PER_S));
    assertThat(many.completionS().mean()).isBetween(400.0, 600.0);
    assertThat(many.completionS().p95()).isLessThanOrEqualTo(600);
  }

  /** The direction of the metric does not matter, and ranks may be given. */
  @Test
  void decidesByRanks() {
    Problem problem = problem(2, 40, 900, 0);
    Problem minimized =
        problem.withCluster(new FixedCluster(2, new HyperSchedOptions(1.1, 1, true)));
    for (RankModel ranks : List.of(RankModel.ASSUMED, RankModel.LAST_BEST, RankModel.FIRST_BEST)) {
      Estimate maximizing = new Simulator(problem, 20, 1, ranks).simulate(plan(2));

      assertThat(new Simulator(minimized, 20, 1, ranks).simulate(plan(2))).isEqualTo(maximizing);
    }
    assertThat(tasks(problem, RankModel.LAST_BEST).get(1).mean())
        .isGreaterThan(tasks(problem, RankModel.FIRST_BEST).get(1).mean());
  }

  private static List<Distribution> tasks(Problem problem, RankModel ranks) {
    IncrementalSampling sampling = new Simulator(problem, 1, 1, ranks).sampling(plan(2));
    sampling.sampleUpTo(1);
    return sampling.rungTasks();
  }

  /** A single trial gets all GPUs after its first unit: 10 + 30, then 10 + 3 · 30/3.421 s. */
  @Test
  void aloneATrialGrowsAtOnce() {
    Problem problem = problem(1, 1, 1200, 0);
    Estimate estimate =
        new Simulator(problem, 10, 1, RankModel.recorded(curves(1, 1))).simulate(plan(1));

    double endS = READY_S + 40 + 10 + 3 * 30 / 3.421;
    assertThat(estimate.completionS().mean()).isCloseTo(endS, within(1e-6));
    assertThat(estimate.costUsd().mean())
        .isCloseTo(USD_PER_S * Math.ceil(endS - QUEUE_S), within(1e-9));
  }

  /** Without enough time to use them, it does not. */
  @Test
  void growsOnlyIfThereIsTime() {
    Problem problem = problem(1, 1, READY_S + 40 + 12, 0);
    Estimate estimate =
        new Simulator(problem, 10, 1, RankModel.recorded(curves(1, 1))).simulate(plan(1));

    assertThat(estimate.completionS().mean()).isEqualTo(READY_S + 40 + 12);
  }

  /** The first unit ends after 75 s of boot, 10 s of start-up and 30 s. */
  @Test
  void hasNoResultBeforeTheFirstUnit() {
    for (double deadlineS : new double[] {READY_S + 39, READY_S + 41}) {
      Estimate estimate =
          new Simulator(problem(1, 1, deadlineS, 0), 1, 1, RankModel.recorded(curves(1, 1)))
              .simulate(plan(1));

      assertThat(estimate.withoutResult()).isEqualTo(deadlineS > READY_S + 40 ? 0 : 1);
      assertThat(estimate.onTime()).isEqualTo(deadlineS > READY_S + 40 ? 1 : 0);
    }
  }

  @Test
  void startsFewerTrialsWithLessTime() {
    double before = 0;
    for (double deadlineS : new double[] {300, 600, 1200}) {
      Problem problem = problem(2, 300, deadlineS, 0.3);
      IncrementalSampling sampling =
          new Simulator(problem, 5, 1, RankModel.recorded(curves(300, 2))).sampling(plan(2));
      sampling.sampleUpTo(5);

      List<Distribution> tasks = sampling.rungTasks();
      assertThat(tasks.get(0).mean()).isGreaterThan(before);
      assertThat(tasks.get(1).mean()).isLessThan(tasks.get(0).mean());
      assertThat(sampling.estimate().completionS().p95()).isLessThanOrEqualTo(deadlineS);
      before = tasks.get(0).mean();
    }
    assertThat(before).isLessThan(300);
  }

  @Test
  void recordedSecondsReplaceThoseOfTheProfile() {
    Problem problem = problem(1, 1, 1200, 0.5);
    LearningCurves slow = curves(1, 1, OptionalDouble.of(60));
    Estimate estimate = new Simulator(problem, 10, 1, RankModel.recorded(slow)).simulate(plan(1));

    double endS = READY_S + 70 + 10 + 3 * 60 / 3.421;
    assertThat(estimate.completionS().mean()).isCloseTo(endS, within(1e-6));
  }

  /**
   * Units that take twice as long as in the profile: once five were measured, max·m is 240 instead
   * of 120 s. This is less than four times the longest training, so it decides when the search is
   * closed.
   */
  @Test
  void measuredUnitsReplaceThoseOfTheProfile() {
    Problem problem = problem(1, 200, 2000, 0);
    double closedS = closedS(problem, curves(200, 1, OptionalDouble.of(60)));

    assertThat(2000 - closedS).isBetween(200.0, 240.0);
  }

  private static double closedS(Problem problem, LearningCurves curves) {
    Estimate estimate = new Simulator(problem, 1, 1, RankModel.recorded(curves)).simulate(plan(1));
    return estimate.groups().get(0).endS().mean();
  }

  @Test
  void startupPercentileIsThatOfTheProfile() {
    Problem problem = problem(1, 1, 1200, 0);
    Profile profile = problem.profile(problem.offers().get(0)).orElseThrow();

    assertThat(
            HyperSchedRules.timing(7, profile, HyperSchedRules.of(problem, problem.offers().get(0)))
                .startupS())
        .isCloseTo(10, within(1e-9));
  }

  @Test
  void needsADeadline() {
    Problem with = problem(1, 1, 1200, 0);
    Problem without = with.withLimits(WorkedExample.NO_LIMITS);

    assertThatThrownBy(() -> new Simulator(without, 1).simulate(plan(1)))
        .isInstanceOf(IllegalPlanException.class)
        .hasMessageContaining("hypersched needs an asynchronous search and a deadline");
  }

  private static Plan plan(int instances) {
    Allocation all = new Allocation("aws/us-east-1/p3.8xlarge/on-demand", instances, 1, 1);
    return new Plan(true, Map.of(Workload.OPEN, all, Workload.CLOSING, all));
  }

  private static Problem problem(int instances, int trials, double deadlineS, double trialCv) {
    RungRule rule =
        new RungRule(
            List.of(1, 4),
            trials,
            4,
            RungRule.Variant.STOPPING,
            false,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false);
    Profile profile = WorkedExample.profile(trialCv, 0);
    return new Problem(
            Workload.of(rule),
            List.of(WorkedExample.offer(0)),
            Map.of(profile.gpu(), profile),
            new IntRange(1, 4),
            new Limits(
                OptionalDouble.of(deadlineS),
                OptionalDouble.empty(),
                0.95,
                64,
                Double.POSITIVE_INFINITY),
            HourlyCosts.NONE,
            1)
        .withCluster(new FixedCluster(instances, new HyperSchedOptions(1.1, 1, false)));
  }

  private static LearningCurves curves(int trials, int seed) {
    return curves(trials, seed, OptionalDouble.empty());
  }

  /** Trial t has a loss that falls with each unit, in an order that is not that of the numbers. */
  private static LearningCurves curves(int trials, int seed, OptionalDouble seconds) {
    SortedMap<Integer, NavigableMap<Integer, LearningCurves.Point>> points = new TreeMap<>();
    for (int trial = 1; trial <= trials; trial++) {
      NavigableMap<Integer, LearningCurves.Point> curve = new TreeMap<>();
      for (int unit = 1; unit <= 4; unit++) {
        double loss = (trial * 37 * seed) % 101 + 1.0 / unit;
        curve.put(unit, new LearningCurves.Point(loss, seconds));
      }
      points.put(trial, curve);
    }
    return new LearningCurves(Metric.Goal.MINIMIZE, points);
  }
}
