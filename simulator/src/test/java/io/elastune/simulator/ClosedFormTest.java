package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.BillingTerms.Per;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.simulator.sample.JointSamples;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.LogNormalDistribution;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests estimates against values computed by hand or by integration. */
class ClosedFormTest {
  private static final BillingTerms BY_THE_SECOND = BillingTerms.BY_THE_SECOND;
  private static final BillingTerms BY_THE_HOUR = new BillingTerms(Per.INSTANCE, 3600, 0, 0);
  private static final double USD_PER_S = 12.24 / 3600;

  @Test
  void singleTrialTakesQueueBootStartupAndWork() {
    Estimate estimate = simulate(offer(BY_THE_SECOND, 15, 60), profile(10, 0, 0), 1, "1×1");

    assertThat(estimate.completionS().mean()).isCloseTo(15 + 60 + 10 + 30, within(1e-9));
    assertThat(estimate.costUsd().mean()).isCloseTo(100 * USD_PER_S, within(1e-9));
    assertThat(estimate.costBy().provisioning()).isCloseTo(60 * USD_PER_S, within(1e-9));
    assertThat(estimate.costBy().compute()).isCloseTo(40 * USD_PER_S / 4, within(1e-9));
    assertThat(estimate.costBy().idle()).isCloseTo(40 * USD_PER_S * 3 / 4, within(1e-9));
  }

  @Test
  void runsTrialsInWaves() {
    Estimate estimate = simulate(offer(BY_THE_SECOND, 0, 0), profile(10, 0, 0), 17, "2×1");

    assertThat(estimate.completionS().mean()).isCloseTo(3 * 40, within(1e-9));
    // The second instance has no trial in the third wave and is released at its start.
    assertThat(estimate.costUsd().mean()).isCloseTo((120 + 80) * USD_PER_S, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 32})
  void waitsForTheSlowestOfEqualTrials(int trials) {
    Estimate estimate =
        simulate(offer(BY_THE_SECOND, 0, 0), profile(0, 0.3, 0.4), trials, trials + "×4", 100_000);

    double cv = Math.sqrt(0.3 * 0.3 + 0.4 * 0.4);
    double workS = 30 / 3.421;
    assertThat(estimate.completionS().mean())
        .isCloseTo(workS * expectedMaximum(trials, cv), Percentage.withPercentage(0.5));
  }

  /** Returns ∫ (1 − F(x)ⁿ) dx of a log-normal distribution with mean 1, by the trapezoidal rule. */
  private static double expectedMaximum(int n, double cv) {
    double variance = Math.log1p(cv * cv);
    LogNormalDistribution law = LogNormalDistribution.of(-variance / 2, Math.sqrt(variance));
    double step = 1e-3;
    double sum = 0.5;
    for (double x = step; x < 100; x += step) {
      sum += 1 - Math.pow(law.cumulativeProbability(x), n);
    }
    return sum * step;
  }

  @Test
  void manyUnitsReduceVariance() {
    Profile profile = profile(0, 0, 0.4);
    Problem problem =
        WorkedExample.problem(
            List.of(new Chain("", List.of(new TrialGroup("1", 1, 0, 16)))),
            List.of(offer(BY_THE_SECOND, 0, 0)),
            profile);
    double[] completion =
        new Simulator(problem, 100_000).sample(WorkedExample.plan("1×1", false)).completionS();

    assertThat(cv(completion)).isCloseTo(0.1, Percentage.withPercentage(2));
  }

  @Test
  void drawsStartupSeparately() {
    Profile profile =
        WorkedExample.profile("V100", Map.of(1, 30.0), Map.of(), new Spread(10, 0.6), 0.2, 0);
    double[] completion =
        new Simulator(problem(offer(BY_THE_SECOND, 0, 0), profile, 1), 200_000)
            .sample(WorkedExample.plan("1×1", false))
            .completionS();

    assertThat(mean(completion)).isCloseTo(40, Percentage.withPercentage(0.5));
    assertThat(cv(completion)).isCloseTo(Math.hypot(6, 6) / 40, Percentage.withPercentage(2));
  }

  @Test
  void stragglersPreserveTheMean() {
    Profile profile =
        WorkedExample.with(profile(0, 0, 0), new Straggler(0.1, 5), List.of(), 0, Straggler.NONE);
    double[] completion =
        new Simulator(problem(offer(BY_THE_SECOND, 0, 0), profile, 1), 100_000)
            .sample(WorkedExample.plan("1×1", false))
            .completionS();

    assertThat(mean(completion)).isCloseTo(30, Percentage.withPercentage(1));
    // One in ten takes 5 times as long: 0.9 × t + 0.1 × 5 t = 30.
    double quickS = 30 / 1.4;
    assertThat(Arrays.stream(completion))
        .allMatch(s -> Math.abs(s - quickS) < 1e-9 || Math.abs(s - 5 * quickS) < 1e-9);
  }

  @Test
  void profileSamplesReplaceTheLogNormal() {
    Profile profile =
        WorkedExample.with(
            profile(0, 0.5, 0.5), Straggler.NONE, List.of(1.0, 2.0, 6.0), 0, Straggler.NONE);
    double[] completion =
        new Simulator(problem(offer(BY_THE_SECOND, 0, 0), profile, 1), 10_000)
            .sample(WorkedExample.plan("1×1", false))
            .completionS();

    assertThat(completion).containsOnly(10, 20, 60);
  }

  @Test
  void billsWholeHours() {
    Offer hourly = offer(BY_THE_HOUR, 0, 0);

    assertThat(simulate(hourly, profile(0, 0, 0), 8, "2×1").costUsd().mean())
        .isCloseTo(2 * 12.24, within(1e-9));
    // 121 waves of 30 s: half a minute of the second hour.
    assertThat(simulate(hourly, profile(0, 0, 0), 4 * 121, "1×1").costUsd().mean())
        .isCloseTo(2 * 12.24, within(1e-9));
    assertThat(simulate(hourly, profile(0, 0, 0), 4 * 120, "1×1").costUsd().mean())
        .isCloseTo(12.24, within(1e-9));
  }

  @Test
  void queueingCostsTimeAndBootCostsMoneyToo() {
    Estimate plain = simulate(offer(BY_THE_SECOND, 0, 0), profile(0, 0, 0), 4, "1×1");
    Estimate queued = simulate(offer(BY_THE_SECOND, 100, 0), profile(0, 0, 0), 4, "1×1");
    Estimate booted = simulate(offer(BY_THE_SECOND, 0, 100), profile(0, 0, 0), 4, "1×1");

    assertThat(queued.completionS().mean() - plain.completionS().mean()).isEqualTo(100);
    assertThat(queued.costUsd().mean()).isEqualTo(plain.costUsd().mean());
    assertThat(booted.completionS().mean() - plain.completionS().mean()).isEqualTo(100);
    assertThat(booted.costUsd().mean() - plain.costUsd().mean())
        .isCloseTo(100 * USD_PER_S, within(1e-9));
  }

  @Test
  void sharingAddsSlots() {
    Profile shared =
        WorkedExample.profile("V100", Map.of(1, 30.0), Map.of(2, 48.0), Spread.NONE, 0, 0);
    Plan plan =
        new Plan(false, Map.of("1", new Allocation("aws/us-east-1/p3.8xlarge/on-demand", 1, 1, 2)));
    Estimate estimate =
        new Simulator(problem(offer(BY_THE_SECOND, 0, 0), shared, 8), 1).simulate(plan);

    assertThat(estimate.completionS().mean()).isEqualTo(48);
    assertThat(estimate.costBy().compute()).isCloseTo(48 * USD_PER_S, within(1e-9));
  }

  @Test
  void pendingLeasesCostNothing() {
    // Four trials fit into one instance. All start on the first that is ready. The other is
    // released while pending, so a spare instance saves time and costs nothing.
    Offer slow =
        WorkedExample.offer("p3.8xlarge", "V100", 4, BY_THE_SECOND, new Spread(15, 3), Spread.NONE);
    Problem problem = problem(slow, profile(0, 0, 0), 4);
    JointSamples one = new Simulator(problem, 2000).sample(WorkedExample.plan("1×1", false));
    JointSamples spare = new Simulator(problem, 2000).sample(WorkedExample.plan("2×1", false));

    assertThat(spare.costUsd()).containsExactly(one.costUsd(), within(1e-12));
    for (int i = 0; i < 2000; i++) {
      assertThat(spare.completionS()[i]).isLessThanOrEqualTo(one.completionS()[i]);
    }
    assertThat(mean(spare.completionS())).isLessThan(mean(one.completionS()) - 1);
  }

  private static Offer offer(BillingTerms terms, double queueS, double bootS) {
    return WorkedExample.offer(
        "p3.8xlarge", "V100", 4, terms, Spread.exactly(queueS), Spread.exactly(bootS));
  }

  private static Profile profile(double startupS, double trialCv, double unitCv) {
    return WorkedExample.profile(
        "V100",
        Map.of(1, 30.0, 4, 30.0 / 3.421),
        Map.of(),
        Spread.exactly(startupS),
        trialCv,
        unitCv);
  }

  private static Problem problem(Offer offer, Profile profile, int trials) {
    Chain chain = new Chain("", List.of(new TrialGroup("1", trials, 0, 1)));
    return WorkedExample.problem(List.of(chain), List.of(offer), profile);
  }

  private static Estimate simulate(Offer offer, Profile profile, int trials, String sizes) {
    return simulate(offer, profile, trials, sizes, 1);
  }

  private static Estimate simulate(
      Offer offer, Profile profile, int trials, String sizes, int samples) {
    return new Simulator(problem(offer, profile, trials), samples)
        .simulate(WorkedExample.plan(sizes, false));
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double cv(double[] values) {
    double mean = mean(values);
    double variance =
        Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
    return Math.sqrt(variance) / mean;
  }
}
