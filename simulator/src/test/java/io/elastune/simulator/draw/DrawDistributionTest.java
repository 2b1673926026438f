package io.elastune.simulator.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.WorkedExample;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.LogNormalDistribution;
import org.junit.jupiter.api.Test;

/** Tests the distributions of docs/model.md, "Time", against closed forms. */
class DrawDistributionTest {
  private static final int DRAWS = 400_000;
  private static final RandomStreams STREAMS = RandomStreams.of(11).at("law");

  @Test
  void logNormalHasRequestedMeanSpreadAndQuantiles() {
    double[] draws = draws(DrawDistributions.of(new Spread(60, 0.4)));
    double variance = Math.log1p(0.4 * 0.4);
    LogNormalDistribution exact =
        LogNormalDistribution.of(Math.log(60) - variance / 2, Math.sqrt(variance));

    assertThat(mean(draws)).isCloseTo(60, within(0.2));
    assertThat(cv(draws)).isCloseTo(0.4, within(0.004));
    for (double p : new double[] {0.05, 0.25, 0.5, 0.75, 0.95}) {
      double quantile = exact.inverseCumulativeProbability(p);
      assertThat(below(draws, quantile)).as("p %s", p).isCloseTo(p, within(0.003));
    }
  }

  /** Replacements of instances have one draw of each of many streams. */
  @Test
  void firstDrawsAreThoseOfTheSource() {
    DrawDistribution boots = DrawDistributions.of(new Spread(60, 0.4));
    InstanceFaultRates often =
        new InstanceFaultRates(
            FaultRate.assumed(0.5),
            300,
            FaultRate.NONE,
            FaultRate.assumed(0.5),
            5,
            FaultRate.NONE,
            FaultRate.NONE,
            0,
            0);
    List<DrawDistribution> all =
        List.of(
            boots,
            new NormalDraws(),
            new UniformDraws(),
            new ExponentialDraws(),
            new ConstantDraws(7),
            new RepeatCounts(0.5),
            SlowBootDraws.of(boots, often),
            RefusalDraws.of(boots, often));
    for (DrawDistribution each : all) {
      for (int stream = 0; stream < 200; stream++) {
        double[] two = new double[2];
        each.open(STREAMS.at(stream)).fill(two, 0, 2);
        assertThat(each.first(STREAMS.at(stream))).as("%s", each).isEqualTo(two[0]);
      }
    }
  }

  /** Its square is no number. */
  @Test
  void tiniestVariationIsNone() {
    assertThat(draws(DrawDistributions.of(new Spread(60, Double.MIN_VALUE)))).containsOnly(60);
  }

  @Test
  void unitVariationAveragesOutAndTrialVariationDoesNot() {
    double[] one =
        draws(DrawDistributions.ofTrial(profile(0.3, 0.4, Straggler.NONE, List.of()), 1));
    double[] sixteen =
        draws(DrawDistributions.ofTrial(profile(0.3, 0.4, Straggler.NONE, List.of()), 16));

    assertThat(mean(one)).isCloseTo(1, within(0.004));
    assertThat(cv(one)).isCloseTo(0.5, within(0.006));
    assertThat(cv(sixteen)).isCloseTo(Math.hypot(0.3, 0.1), within(0.003));
  }

  @Test
  void mixtureHasMeanOneAndKnownSecondMoment() {
    double p = 0.1;
    double slowdown = 5;
    double cv = 0.3;
    DrawDistribution drawDistribution =
        DrawDistributions.ofTrial(profile(cv, 0, new Straggler(p, slowdown), List.of()), 1);
    double[] draws = draws(drawDistribution);

    // X = L·M, L log-normal of mean 1, M = slowdown/c with probability p, otherwise 1/c.
    double c = 1 - p + p * slowdown;
    double second = (1 + cv * cv) * (1 - p + p * slowdown * slowdown) / (c * c);
    assertThat(drawDistribution.mean()).isEqualTo(1);
    assertThat(mean(draws)).isCloseTo(1, within(0.005));
    assertThat(cv(draws)).isCloseTo(Math.sqrt(second - 1), within(0.01));
  }

  @Test
  void stragglersHaveTheGivenFrequency() {
    double[] draws =
        draws(DrawDistributions.ofTrial(profile(0, 0, new Straggler(0.1, 5), List.of()), 1));

    assertThat(Arrays.stream(draws).distinct().sorted().toArray())
        .containsExactly(new double[] {1 / 1.4, 5 / 1.4}, within(1e-12));
    assertThat(below(draws, 1)).isCloseTo(0.9, within(0.002));
  }

  @Test
  void probabilityOneMeansNoStragglers() {
    assertThat(DrawDistributions.ofTrial(profile(0, 0, new Straggler(1, 5), List.of()), 1).varies())
        .isFalse();
    assertThat(
            DrawDistributions.ofTrial(profile(0, 0, new Straggler(0.5, 1), List.of()), 1).varies())
        .isFalse();
    assertThat(DrawDistributions.ofTrial(profile(0, 0, new Straggler(0, 5), List.of()), 1).varies())
        .isFalse();
  }

  @Test
  void samplesAreEquallyLikelyAndScaledToMeanOne() {
    DrawDistribution drawDistribution =
        DrawDistributions.ofTrial(
            profile(0.5, 0.5, Straggler.NONE, List.of(1.0, 2.0, 6.0, 3.0)), 7);
    double[] draws = draws(drawDistribution);

    assertThat(drawDistribution.mean()).isCloseTo(1, within(1e-12));
    assertThat(Arrays.stream(draws).distinct().sorted().toArray())
        .containsExactly(new double[] {1 / 3.0, 2 / 3.0, 1, 2}, within(1e-12));
    for (int k = 1; k <= 3; k++) {
      double between = new double[] {0, 0.5, 0.9, 1.5}[k];
      assertThat(below(draws, between)).isCloseTo(k / 4.0, within(0.003));
    }
  }

  @Test
  void zeroMeanOrSpreadDoesNotVary() {
    assertThat(DrawDistributions.of(new Spread(0, 0.5))).isEqualTo(new ConstantDraws(0));
    assertThat(DrawDistributions.of(new Spread(7, 0))).isEqualTo(new ConstantDraws(7));
  }

  @Test
  void equalSamplesDoNotVary() {
    assertThat(DrawDistributions.ofTrial(profile(0.5, 0, Straggler.NONE, List.of(2.0, 2.0)), 1))
        .isEqualTo(new ConstantDraws(1));
  }

  @Test
  void stragglersMultiplySamples() {
    double[] draws =
        draws(
            DrawDistributions.ofTrial(profile(0, 0, new Straggler(0.5, 3), List.of(1.0, 3.0)), 1));

    // {½, 3/2} × {½, 3/2}
    assertThat(Arrays.stream(draws).distinct().sorted().toArray())
        .containsExactly(new double[] {0.25, 0.75, 2.25}, within(1e-12));
    assertThat(mean(draws)).isCloseTo(1, within(0.005));
  }

  @Test
  void instancesHaveTheirOwnDistribution() {
    Profile profile = ofInstances(0.2, new Straggler(0.02, 3));
    double[] draws = draws(DrawDistributions.ofInstance(profile));
    double c = 0.98 + 0.02 * 3;
    double second = 1.04 * (0.98 + 0.02 * 9) / (c * c);

    assertThat(mean(draws)).isCloseTo(1, within(0.003));
    assertThat(cv(draws)).isCloseTo(Math.sqrt(second - 1), within(0.01));
    assertThat(DrawDistributions.ofTrial(profile, 1).varies()).isFalse();
    assertThat(
            DrawDistributions.ofInstance(profile(0.5, 0.5, new Straggler(0.1, 2), List.of()))
                .varies())
        .isFalse();
  }

  private static Profile profile(
      double trialCv, double unitCv, Straggler straggler, List<Double> samples) {
    Profile plain =
        WorkedExample.profile("V100", Map.of(1, 30.0), Map.of(), Spread.NONE, trialCv, unitCv);
    return WorkedExample.with(plain, straggler, samples, 0, Straggler.NONE);
  }

  private static Profile ofInstances(double cv, Straggler straggler) {
    Profile plain = WorkedExample.profile("V100", Map.of(1, 30.0), Map.of(), Spread.NONE, 0, 0);
    return WorkedExample.with(plain, Straggler.NONE, List.of(), cv, straggler);
  }

  private static double[] draws(DrawDistribution drawDistribution) {
    double[] draws = new double[DRAWS];
    drawDistribution.open(STREAMS).fill(draws, 0, draws.length);
    return draws;
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

  private static double below(double[] values, double most) {
    return Arrays.stream(values).filter(value -> value <= most).count() / (double) values.length;
  }
}
