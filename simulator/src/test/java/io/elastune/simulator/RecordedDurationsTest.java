package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.job.Metric;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.LearningCurves;
import io.elastune.simulator.rank.RankModel;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Checks the durations of trials whose seconds are recorded in learning curves. */
class RecordedDurationsTest {
  private static final String OFFER = WorkedExample.offer(0).name();
  private static final double PROFILE_UNIT_S = 30;
  private static final double RECORDED_UNIT_S = 75;
  private static final int TRIALS = 4;
  private static final int UNITS = 4;

  /** Recorded seconds that are those of another profile, with the torn checkpoints of both. */
  @Test
  void tornCheckpointsRepeatRecordedSeconds() {
    TrialFaultRates torn =
        new TrialFaultRates(FaultRate.NONE, FaultRate.NONE, FaultRate.assumed(0.3));
    Profile profile = WorkedExample.profile(0, 0).withFaults(torn);
    Profile slower = profile.withSlowdown(RECORDED_UNIT_S / PROFILE_UNIT_S);
    Chain chain = new Chain("", List.of(new TrialGroup("1", TRIALS, 0, UNITS)));

    Estimate recorded = simulate(chain, profile, curves(trial -> trial));
    Estimate expected = simulate(chain, slower, curves(trial -> trial, OptionalDouble.empty()));

    assertThat(recorded.completionS().mean())
        .isCloseTo(expected.completionS().mean(), within(1e-9 * expected.completionS().mean()));
    assertThat(recorded.completionS().p95())
        .isCloseTo(expected.completionS().p95(), within(1e-6))
        .isGreaterThan(recorded.completionS().p5() + RECORDED_UNIT_S);
  }

  /** A place in a group for which no trial has a metric takes as long as in the profile. */
  @Test
  void placesWithoutTrialTakeAsLongAsInTheProfile() {
    Chain chain =
        new Chain("", List.of(new TrialGroup("1", TRIALS, 0, 1), new TrialGroup("2", 3, 1, UNITS)));
    Profile profile = WorkedExample.profile(0, 0);
    double fasterS = PROFILE_UNIT_S / 10;
    Estimate estimate =
        simulate(
            chain,
            profile,
            curves(trial -> trial == 2 ? 1 : Double.NaN, OptionalDouble.of(fasterS)));

    // Without the two places, the second group would last as long as its trial.
    assertThat(groupS(estimate, 1))
        .isCloseTo(profile.startupS().mean() + (UNITS - 1) * PROFILE_UNIT_S, within(1e-6));
  }

  private static double groupS(Estimate estimate, int group) {
    return estimate.groups().get(group).endS().mean()
        - estimate.groups().get(group - 1).endS().mean();
  }

  private static Estimate simulate(Chain chain, Profile profile, LearningCurves curves) {
    Problem problem =
        WorkedExample.problem(List.of(chain), List.of(WorkedExample.offer(0)), profile);
    Map<String, Allocation> allocations = new TreeMap<>();
    chain.groups().forEach(group -> allocations.put(group.name(), new Allocation(OFFER, 1, 1, 1)));
    return new Simulator(problem, 500, 1, RankModel.recorded(curves))
        .simulate(new Plan(true, allocations));
  }

  private static LearningCurves curves(IntToDoubleFunction metric) {
    return curves(metric, OptionalDouble.of(RECORDED_UNIT_S));
  }

  private static LearningCurves curves(IntToDoubleFunction metric, OptionalDouble unitS) {
    SortedMap<Integer, NavigableMap<Integer, LearningCurves.Point>> points = new TreeMap<>();
    for (int trial = 1; trial <= TRIALS; trial++) {
      NavigableMap<Integer, LearningCurves.Point> curve = new TreeMap<>();
      for (int unit = 1; unit <= UNITS; unit++) {
        curve.put(unit, new LearningCurves.Point(metric.applyAsDouble(trial), unitS));
      }
      points.put(trial, curve);
    }
    return new LearningCurves(Metric.Goal.MAXIMIZE, points);
  }
}
