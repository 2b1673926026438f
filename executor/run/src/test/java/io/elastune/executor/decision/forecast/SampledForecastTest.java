package io.elastune.executor.decision.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.executor.decision.WorkedExampleRun;
import io.elastune.executor.decision.model.ForecastExcess;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.RunState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Four trials of ten units on the four GPUs of an instance; they have just started. */
class SampledForecastTest {
  private static final double USD_PER_S = 12.24 / 3600;

  /** The mean of the largest of four draws is 1.03 standard deviations above theirs. */
  @Test
  void excessHasTheExpectedMaximumOfTheBarrier() {
    RunInProgress run = run(0.1);

    ForecastExcess excess = SampledForecast.excess(run.definition(), run.state());

    assertThat(excess.ofS()).isCloseTo(310, within(1e-9));
    assertThat(excess.seconds()).isCloseTo(0.1 * 1.03 * 300, within(10.0));
    assertThat(excess.usd()).isCloseTo(USD_PER_S * excess.seconds(), within(USD_PER_S));
  }

  @Test
  void nothingExceedsTheMeansWithoutSpread() {
    RunInProgress run = run(0);

    assertThat(SampledForecast.excess(run.definition(), run.state()))
        .isEqualTo(ForecastExcess.NONE);
  }

  @Test
  void excessIsComputedAgainAfterAPartOfTheRunOrWithAnotherGroup() {
    RunInProgress run = run(0.1);
    ForecastExcess first = SampledForecast.excess(run.definition(), run.state());
    RunState state = run.state();

    assertThat(first.isDue(state.now(), 1)).isFalse();
    assertThat(first.isDue(state.now(), 2)).isTrue();
    assertThat(first.isDue(state.now().plusSeconds(10), 1)).isFalse();
    assertThat(first.isDue(state.now().plusSeconds(60), 1)).isTrue();
  }

  /** It shrinks with the time that is left, and does not grow. */
  @Test
  void excessIsAddedInProportionToTheTimeThatIsLeft() {
    ForecastExcess excess = new ForecastExcess(10, 2, 100, 1, Instant.MAX);

    assertThat(SampledForecast.with(excess, new RestForecast(50, 8)))
        .isEqualTo(new RestForecast(55, 9));
    assertThat(SampledForecast.with(excess, new RestForecast(200, 8)))
        .isEqualTo(new RestForecast(210, 10));
    assertThat(SampledForecast.with(ForecastExcess.NONE, new RestForecast(200, 8)))
        .isEqualTo(new RestForecast(200, 8));
  }

  private static RunInProgress run(double trialCv) {
    Workload workload =
        new Workload(List.of(new Chain("", List.of(new TrialGroup("1", 4, 0, 10)))));
    RunInProgress run =
        new RunInProgress(
                workload,
                1,
                false,
                ProfileBuilder.builder(WorkedExampleRun.PROFILE).trialCv(trialCv).build())
            .ready("a", 0, 100);
    for (int trial = 1; trial <= 4; trial++) {
      run.attempt(trial, 0, 10, new GpuSlot("a", trial - 1), 0);
    }
    return run.started(0, List.of(1, 2, 3, 4), List.of());
  }
}
