package io.elastune.executor.decision.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.GpuSlot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two chains on one instance with four GPUs: three trials of 1 unit, and two of 3 units. */
class PoolForecasterTest {
  private static final double USD_PER_S = 12.24 / 3600;
  private static final Workload WORKLOAD =
      new Workload(
          List.of(
              new Chain("a", List.of(new TrialGroup("1", 3, 0, 1))),
              new Chain("b", List.of(new TrialGroup("2", 2, 0, 3)))));

  /** The longer chain starts first: 100 s; two of the other start beside it, and one follows. */
  @Test
  void chainsThatHaveNotStartedShareTheInstance() {
    RestForecast rest = forecast(new RunInProgress(WORKLOAD, 1, true));

    assertThat(rest.seconds()).isCloseTo(75 + 100, within(1e-9));
    assertThat(rest.usd()).isCloseTo(USD_PER_S * (60 + 100), within(1e-9));
  }

  /** Both long trials need 10 s more; of the short ones two run 40 s now, and the third follows. */
  @Test
  void trialsOfOneChainUseTheGpusThatAnotherLeaves() {
    RestForecast rest =
        forecast(
            new RunInProgress(WORKLOAD, 1, true)
                .ready("x", 0, 100)
                .attempt(4, 1, 3, new GpuSlot("x", 0), 90)
                .attempt(5, 1, 3, new GpuSlot("x", 1), 90)
                .started(0, List.of(1, 2, 3), List.of(1, 2, 3))
                .started(1, List.of(4, 5), List.of()));

    assertThat(rest.seconds()).isCloseTo(10 + 40, within(1e-9));
    assertThat(rest.usd()).isCloseTo(USD_PER_S * 50, within(1e-9));
  }

  /** Its instance is gone: the trial starts again from its checkpoint, which is at 0. */
  @Test
  void attemptsWithoutTheirInstanceStartAgain() {
    RestForecast rest =
        forecast(
            new RunInProgress(WORKLOAD, 1, true)
                .ready("x", 0, 100)
                .attempt(4, 1, 3, new GpuSlot("gone", 0), 90)
                .attempt(5, 1, 3, new GpuSlot("x", 1), 90)
                .started(0, List.of(1, 2, 3), List.of())
                .started(1, List.of(4, 5), List.of()));

    assertThat(rest.seconds()).isCloseTo(100, within(1e-9));
  }

  private static RestForecast forecast(RunInProgress run) {
    Forecaster forecaster = Forecasters.of(run.basis());
    assertThat(forecaster).isInstanceOf(PoolForecaster.class);
    return forecaster.forecast();
  }
}
