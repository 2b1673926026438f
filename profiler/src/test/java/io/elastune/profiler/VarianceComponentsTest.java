package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.profiler.AttemptTimes.Interval;
import io.elastune.profiler.SizeFit.TrialFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VarianceComponentsTest {
  /**
   * For balanced groups, REML equals the analysis of variance: the variance between instances is
   * that of their means, less that of trials divided by the trials of each.
   */
  @Test
  void balancedGroupsEqualTheAnalysisOfVariance() {
    double[][] relative = {{0.90, 0.94, 0.98}, {1.00, 1.06, 1.03}, {1.07, 1.02, 1.00}};
    List<TrialFit> trials = new ArrayList<>();
    double within = 0;
    double between = 0;
    for (int instance = 0; instance < 3; instance++) {
      double mean = 0;
      for (double one : relative[instance]) {
        mean += one / 3;
      }
      for (double one : relative[instance]) {
        trials.add(trial("lease " + instance, one));
        within += (one - mean) * (one - mean) / 6;
      }
      between += 3 * (mean - 1) * (mean - 1) / 2;
    }

    VarianceComponents components = components(trials);

    assertThat(square(components.cv(SpreadLikelihood.TRIAL))).isEqualTo(within, within(1e-6));
    assertThat(square(components.cv(SpreadLikelihood.INSTANCE)))
        .isEqualTo((between - within) / 3, within(1e-6));
  }

  /** The means of the instances differ less than their trials: the estimate would be negative. */
  @Test
  void componentsAreNeverNegative() {
    VarianceComponents components =
        components(
            List.of(
                trial("a", 0.9),
                trial("a", 1.1),
                trial("b", 0.89),
                trial("b", 1.11),
                trial("c", 0.9),
                trial("c", 1.1)));

    assertThat(components.cv(SpreadLikelihood.INSTANCE)).isLessThan(1e-4);
    NumberEstimate estimate = components.estimate(SpreadLikelihood.INSTANCE);
    assertThat(estimate.low()).isZero();
    assertThat(estimate.high()).isGreaterThan(0.01);
  }

  /** With one instance, or one trial on each, nothing shows how much instances differ. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void unknownInstancesHaveNoEstimate(boolean oneInstance) {
    List<TrialFit> trials =
        IntStream.range(0, 4)
            .mapToObj(i -> trial(oneInstance ? "a" : "lease " + i, 0.9 + i / 15.0))
            .toList();
    SpreadLikelihood likelihood = new SpreadLikelihood(List.of(size(trials)));

    assertThat(likelihood.known().toArray()).containsExactly(SpreadLikelihood.TRIAL);
    assertThat(new VarianceComponents(likelihood).cv(SpreadLikelihood.INSTANCE)).isZero();
  }

  @Test
  void oneSlowInstanceOutOfFourIsSpreadOfInstances() {
    List<TrialFit> trials = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      trials.add(trial("lease " + i / 4, (i < 4 ? 1.5 : 1) * (1 + 0.01 * (i % 4 - 1.5))));
    }

    VarianceComponents components = components(trials);

    assertThat(components.cv(SpreadLikelihood.INSTANCE)).isBetween(0.15, 0.3);
    assertThat(components.cv(SpreadLikelihood.TRIAL)).isLessThan(0.03);
    assertThat(components.estimate(SpreadLikelihood.INSTANCE).high()).isGreaterThan(0.5);
  }

  /** The square root of 5 degrees of freedom by the quantiles of chi-squared. */
  @Test
  void intervalIsThatOfChiSquaredForOneComponent() {
    List<TrialFit> trials =
        List.of(
            trial("a", 0.95),
            trial("a", 0.97),
            trial("a", 0.99),
            trial("a", 1.01),
            trial("a", 1.03),
            trial("a", 1.05));

    NumberEstimate estimate = components(trials).estimate(SpreadLikelihood.TRIAL);

    assertThat(estimate.value()).isEqualTo(Math.sqrt(0.007 / 5), within(1e-6));
    assertThat(estimate.low() / estimate.value()).isEqualTo(0.624, within(0.05));
    assertThat(estimate.high() / estimate.value()).isEqualTo(2.453, within(0.25));
    assertThat(estimate.count()).isEqualTo(6);
  }

  private static double square(double value) {
    return value * value;
  }

  private static VarianceComponents components(List<TrialFit> trials) {
    return new VarianceComponents(new SpreadLikelihood(List.of(size(trials))));
  }

  private static SizeFit size(List<TrialFit> trials) {
    double mean = trials.stream().mapToDouble(TrialFit::unitS).average().orElseThrow();
    return new SizeFit(
        TrialSize.of(1),
        mean,
        true,
        trials.size(),
        SteadyState.AT_ONCE,
        Optional.empty(),
        trials,
        List.of());
  }

  private static TrialFit trial(String lease, double unitS) {
    return new TrialFit(1, List.of(lease), unitS, 100, List.of(new Interval(1, 100, 100 * unitS)));
  }
}
