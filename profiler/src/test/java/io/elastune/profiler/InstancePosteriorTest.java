package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.profiler.AttemptTimes.Interval;
import io.elastune.profiler.SizeFit.TrialFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InstancePosteriorTest {
  private static final double[] ALIKE = {0.97, 1.03, 0.99, 1.01};

  /** Two instances with the same mean: the likeliest spread is 0, but they may differ. */
  @Test
  void equalInstancesMayDiffer() {
    SizeFit size = size(1, 1);
    SpreadLikelihood likelihood = new SpreadLikelihood(List.of(size));
    VarianceComponents components = new VarianceComponents(likelihood);
    InstancePosterior posterior = new InstancePosterior(likelihood, components);

    NumberEstimate spread = posterior.estimate();
    assertThat(spread.value()).isLessThan(1e-4);
    assertThat(spread.low()).isLessThanOrEqualTo(spread.value());
    assertThat(spread.high()).isBetween(0.02, 0.3);
    assertThat(width(size, likelihood, components, Optional.of(posterior)))
        .isGreaterThan(1.1 * width(size, likelihood, components, Optional.empty()));
  }

  /** Two instances that differ by 6 %: by their difference alone, the mean could be anywhere. */
  @Test
  void twoInstancesDoNotMakeTheMeanUnknown() {
    SizeFit size = size(0.97, 1.03);
    SpreadLikelihood likelihood = new SpreadLikelihood(List.of(size));
    VarianceComponents components = new VarianceComponents(likelihood);
    InstancePosterior posterior = new InstancePosterior(likelihood, components);

    assertThat(posterior.estimate().low()).isPositive();
    assertThat(posterior.estimate().high()).isLessThan(0.6);
    assertThat(width(size, likelihood, components, Optional.of(posterior)))
        .isBetween(0.08, 0.5)
        .isLessThan(0.7 * width(size, likelihood, components, Optional.empty()));
  }

  @Test
  void equalCasesHaveTheIntervalOfOne() {
    UncertainMean.Case one = new UncertainMean.Case(0.5, 2, 0.1, 4);

    NumberEstimate estimate = new UncertainMean(List.of(one, one)).estimate(7);

    NumberEstimate student = NumberEstimate.student(2, 0.1, 4, 7);
    assertThat(estimate.value()).isEqualTo(2, within(1e-12));
    assertThat(estimate.low()).isEqualTo(student.low(), within(1e-6));
    assertThat(estimate.high()).isEqualTo(student.high(), within(1e-6));
    assertThat(estimate.count()).isEqualTo(7);
  }

  /** A case of 30 % has all of the upper tail: its quantile of 2.5 / 30. */
  @Test
  void rareWideCaseDecidesTheTails() {
    UncertainMean mean =
        new UncertainMean(
            List.of(
                new UncertainMean.Case(0.7, 1, 1e-6, 1e6),
                new UncertainMean.Case(0.3, 1, 0.1, 1e6)));

    NumberEstimate estimate = mean.estimate(2);

    assertThat(estimate.high()).isEqualTo(1 + 0.1 * 1.38299, within(1e-5));
    assertThat(estimate.low()).isEqualTo(1 - 0.1 * 1.38299, within(1e-5));
  }

  private static double width(
      SizeFit size,
      SpreadLikelihood likelihood,
      VarianceComponents components,
      Optional<InstancePosterior> posterior) {
    NumberEstimate estimate =
        new UnitTimes(List.of(size), likelihood, components, posterior)
            .of(size.size())
            .orElseThrow();
    assertThat(estimate.value()).isEqualTo(1, within(1e-6));
    return estimate.high() - estimate.low();
  }

  /** Four trials on each of two instances with these mean unit times. */
  private static SizeFit size(double first, double second) {
    List<TrialFit> trials = new ArrayList<>();
    for (double one : ALIKE) {
      trials.add(trial(trials.size(), "a", first * one));
      trials.add(trial(trials.size(), "b", second * one));
    }
    return new SizeFit(
        TrialSize.of(1),
        1,
        true,
        trials.size(),
        SteadyState.AT_ONCE,
        Optional.empty(),
        trials,
        List.of());
  }

  private static TrialFit trial(int trial, String lease, double unitS) {
    return new TrialFit(
        trial, List.of(lease), unitS, 100, List.of(new Interval(1, 100, 100 * unitS)));
  }
}
