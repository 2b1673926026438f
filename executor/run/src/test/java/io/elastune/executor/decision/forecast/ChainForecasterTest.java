package io.elastune.executor.decision.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.timeline.TrialPlace;
import io.elastune.executor.decision.model.GpuSlot;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Every expected number is computed by hand from the durations of {@link RunInProgress}. */
class ChainForecasterTest {
  private static final double USD_PER_S = 12.24 / 3600;

  /** Eight slots: 16 trials take two waves of 40 s, after 75 s until the instances are ready. */
  @Test
  void groupsThatHaveNotStartedTakeTheirWavesAndNewInstancesTheirStart() {
    RestForecast rest =
        forecast(run(2, new TrialGroup("1", 16, 0, 1), new TrialGroup("2", 8, 1, 3)));

    assertThat(rest.seconds()).isCloseTo((75 + 2 * 40) + (10 + 2 * 30), within(1e-9));
    assertThat(rest.usd()).isCloseTo(2 * USD_PER_S * (140 + 70), within(1e-9));
  }

  @Test
  void chainsRunAtTheSameTime() {
    Workload workload =
        new Workload(
            List.of(
                new Chain("a", List.of(new TrialGroup("1", 4, 0, 1))),
                new Chain("b", List.of(new TrialGroup("2", 4, 0, 3)))));

    RestForecast rest = forecast(new RunInProgress(workload, 1, false));

    assertThat(rest.seconds()).isCloseTo(75 + 100, within(1e-9));
    assertThat(rest.usd()).isCloseTo(USD_PER_S * (100 + 160), within(1e-9));
  }

  /** One trial needs 20 s more, and the GPU that it leaves is not needed: three others are free. */
  @Test
  void waitingTrialsUseTheSlotsThatAreFree() {
    RestForecast rest =
        forecast(
            run(1, new TrialGroup("1", 2, 0, 2))
                .ready("a", 0, 100)
                .attempt(1, 0, 2, new GpuSlot("a", 0), 50)
                .started(0, List.of(1, 2), List.of(2)));

    assertThat(rest.seconds()).isCloseTo(10 + 2 * 30, within(1e-9));
    assertThat(rest.usd()).isCloseTo(USD_PER_S * 70, within(1e-9));
  }

  /** Five trials on four slots: the fifth starts when the first of the four ends, in 5 s. */
  @Test
  void waitingTrialsStartWhenTheFirstSlotIsFree() {
    RunInProgress run = run(1, new TrialGroup("1", 5, 0, 1)).ready("a", 0, 100);
    for (int trial = 1; trial <= 4; trial++) {
      run.attempt(trial, 0, 1, new GpuSlot("a", trial - 1), trial == 3 ? 35 : 10);
    }

    RestForecast rest = forecast(run.started(0, List.of(1, 2, 3, 4, 5), List.of(5)));

    assertThat(rest.seconds()).isCloseTo(5 + 40, within(1e-9));
  }

  /** An attempt that has been silent for longer than its whole duration may end at once. */
  @Test
  void lateAttemptsNeedNoTime() {
    RestForecast rest =
        forecast(
            run(1, new TrialGroup("1", 1, 0, 2))
                .ready("a", 0, 100)
                .attempt(1, 0, 2, new GpuSlot("a", 0), 90)
                .started(0, List.of(1), List.of()));

    assertThat(rest).isEqualTo(RestForecast.NONE);
  }

  /** Requested 5 s ago: billed in 10 s and ready in 70 s. */
  @Test
  void pendingInstancesCostNothingBeforeTheyAreBilled() {
    RestForecast rest =
        forecast(
            run(1, new TrialGroup("1", 1, 0, 1))
                .pending("a", 0, 5)
                .started(0, List.of(1), List.of(1)));

    assertThat(rest.seconds()).isCloseTo(70 + 40, within(1e-9));
    assertThat(rest.usd()).isCloseTo(USD_PER_S * 100, within(1e-9));
  }

  /**
   * The second group needs one of the two instances: the other is released when it is idle, after
   * the first three of five trials on eight slots.
   */
  @Test
  void laterGroupsRequestAndReleaseTheirInstances() {
    RestForecast rest =
        forecast(
            run(2, new TrialGroup("1", 5, 0, 1), new TrialGroup("2", 1, 1, 2))
                .allocated("2", 1)
                .ready("a", 0, 100)
                .ready("b", 0, 100)
                .started(0, List.of(1, 2, 3, 4, 5), List.of(1, 2, 3, 4, 5)));

    assertThat(rest.seconds()).isCloseTo(40 + 40, within(1e-9));
    assertThat(rest.usd()).isCloseTo(USD_PER_S * (40 + 80), within(1e-9));
  }

  /** All trials of the first group have ended, but the group has not: the second starts at once. */
  @Test
  void groupsWithoutTrialsThatAreLeftTakeNoTime() {
    RestForecast rest =
        forecast(
            run(1, new TrialGroup("1", 2, 0, 1), new TrialGroup("2", 1, 1, 2))
                .ready("a", 0, 100)
                .started(0, List.of(1, 2), List.of()));

    assertThat(rest.seconds()).isCloseTo(40, within(1e-9));
  }

  /**
   * The program of the first trial waits for 20 s, and the second trial needs 10 s more. Both
   * continue for a unit without a start-up.
   */
  @Test
  void programsThatWaitNeedNoStartUp() {
    RunInProgress run =
        run(1, new TrialGroup("1", 2, 0, 1), new TrialGroup("2", 2, 1, 2))
            .keepingAlive()
            .ready("a", 0, 100)
            .ended(1, 1, new GpuSlot("a", 3), 20)
            .attempt(2, 0, 1, new GpuSlot("a", 0), 30)
            .started(0, List.of(1, 2), List.of());

    assertThat(forecast(run).seconds()).isCloseTo(10 + 30, within(1e-9));
    assertThat(new ChainForecaster(run.basis()).trained(0).orElseThrow().places())
        .containsExactly(
            new TrialPlace(List.of(0), 0, 1, 1, OptionalDouble.of(0)),
            new TrialPlace(List.of(0), 3, 1, 1, OptionalDouble.of(20 + 10)));
  }

  private static RunInProgress run(int instances, TrialGroup... groups) {
    return new RunInProgress(
        new Workload(List.of(new Chain("", List.of(groups)))), instances, false);
  }

  private static RestForecast forecast(RunInProgress run) {
    Forecaster forecaster = Forecasters.of(run.basis());
    assertThat(forecaster).isInstanceOf(ChainForecaster.class);
    return forecaster.forecast();
  }
}
