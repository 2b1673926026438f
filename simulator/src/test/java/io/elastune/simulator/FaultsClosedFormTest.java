package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.elastune.core.IntRange;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.SilenceLimit;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.Profile;
import io.elastune.core.properties.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares predictions with faults with the worked examples of docs/model.md, "Faults". */
class FaultsClosedFormTest {
  private static final int SAMPLES = Tier.runs(10_000, 60_000);

  /** Four standard errors of the mean. */
  private static final double PERCENT = Tier.isNightly() ? 0.5 : 1.2;

  private static final FaultRate NONE = FaultRate.NONE;

  private static Estimate predict(InstanceFaultRates instances, TrialFaultRates trials) {
    Problem problem =
        WorkedExample.problem(
                List.of(new Chain("", List.of(new TrialGroup("1", 1, 0, 1)))),
                List.of(WorkedExample.offer(0)),
                WorkedExample.profile(0, 0))
            .withFaults(offer -> instances, profile -> trials);
    return new Simulator(problem, SAMPLES).simulate(WorkedExample.plan("1×1", false));
  }

  private static InstanceFaultRates instances(
      FaultRate bootFailure, FaultRate slowBoot, FaultRate failures, FaultRate preemptions) {
    return new InstanceFaultRates(
        NONE, 0, bootFailure, slowBoot, 5, failures, preemptions, 120, 0.5);
  }

  private static void check(Estimate estimate, double seconds) {
    assertThat(estimate.completionS().mean()).isCloseTo(seconds, withinPercentage(PERCENT));
  }

  @Test
  void tornCheckpoints() {
    Estimate estimate =
        predict(InstanceFaultRates.NONE, new TrialFaultRates(NONE, NONE, FaultRate.assumed(0.1)));
    check(estimate, 119.444);
    assertThat(estimate.costUsd().mean()).isCloseTo(0.35511, withinPercentage(PERCENT));
  }

  @Test
  void crashes() {
    check(
        predict(InstanceFaultRates.NONE, new TrialFaultRates(FaultRate.assumed(10), NONE, NONE)),
        117.307);
  }

  /** A hung trial is found after the silence of the job, however short its training is. */
  @Test
  void hangs() {
    Problem problem =
        WorkedExample.problem(
                List.of(new Chain("", List.of(new TrialGroup("1", 1, 0, 1)))),
                List.of(WorkedExample.offer(0)),
                WorkedExample.profile(0, 0))
            .withFaults(
                offer -> InstanceFaultRates.NONE,
                some -> new TrialFaultRates(NONE, FaultRate.assumed(10), NONE));
    SilenceLimit tenMinutes = SilenceLimit.of(Optional.of(Duration.ofMinutes(10)));
    double hangs = Math.expm1(40.0 / 360); // before an attempt ends

    assertThat(meanS(problem)).isCloseTo(115 + hangs * 120, withinPercentage(2 * PERCENT));
    assertThat(meanS(problem.withSilence(tenMinutes)))
        .isCloseTo(115 + hangs * 600, withinPercentage(5 * PERCENT));
  }

  private static double meanS(Problem problem) {
    return new Simulator(problem, SAMPLES)
        .simulate(WorkedExample.plan("1×1", false))
        .completionS()
        .mean();
  }

  @Test
  void crashesBetweenCheckpoints() {
    Profile profile =
        WorkedExample.profile(0, 0)
            .withCheckpoint(
                new CheckpointMeasurement(
                    Optional.empty(),
                    Optional.of(new CheckpointMeasurement.Sampled(10, 0, 1)),
                    Optional.empty(),
                    Optional.empty()));
    Problem problem =
        WorkedExample.problem(
                List.of(new Chain("", List.of(new TrialGroup("1", 1, 0, 4)))),
                List.of(WorkedExample.offer(0)),
                profile)
            .withFaults(
                offer -> InstanceFaultRates.NONE,
                some -> new TrialFaultRates(FaultRate.assumed(10), NONE, NONE));
    Workload everyTwo = problem.workload().saving(Optional.of(new IntRange(2, 2)));
    Estimate estimate =
        new Simulator(problem.withWorkload(everyTwo), SAMPLES)
            .simulate(WorkedExample.plan("1×1", false));
    // Two parts of 65 s, of which the second one restarts from a checkpoint after a crash.
    double mean = 360;
    double partAgainS = Math.expm1(75 / mean) * mean;
    double secondS = -Math.expm1(-65 / mean) * (mean + partAgainS);
    check(estimate, 75 + partAgainS + secondS);
    assertThat(75 + partAgainS + secondS).isCloseTo(231.629, within(1e-3));
  }

  @Test
  void bootFailuresAndSlowBoots() {
    Estimate failing =
        predict(instances(FaultRate.assumed(0.1), NONE, NONE, NONE), TrialFaultRates.NONE);
    check(failing, 123.333);
    assertThat(failing.costUsd().mean()).isCloseTo(0.36267, withinPercentage(PERCENT));
    check(predict(instances(NONE, FaultRate.assumed(0.1), NONE, NONE), TrialFaultRates.NONE), 139);
  }

  @Test
  void failuresAndPreemptionsOfOneInstanceAreTheSame() {
    check(
        predict(instances(NONE, NONE, FaultRate.assumed(2), NONE), TrialFaultRates.NONE), 118.688);
    check(
        predict(instances(NONE, NONE, NONE, FaultRate.assumed(2)), TrialFaultRates.NONE), 118.688);
  }

  @Test
  void refusalsAndRatesThatAllowNoProgress() {
    InstanceFaultRates refused =
        new InstanceFaultRates(FaultRate.assumed(0.1), 300, NONE, NONE, 1, NONE, NONE, 0, 0);
    // The standard error of this mean is 0.4 %.
    assertThat(predict(refused, TrialFaultRates.NONE).completionS().mean())
        .isCloseTo(145, withinPercentage(3 * PERCENT));
    Estimate hopeless =
        predict(InstanceFaultRates.NONE, new TrialFaultRates(FaultRate.assumed(3600), NONE, NONE));
    assertThat(hopeless.completionS().mean()).isGreaterThan(500).isFinite();
  }
}
