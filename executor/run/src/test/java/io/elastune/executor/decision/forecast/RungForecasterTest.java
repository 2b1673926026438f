package io.elastune.executor.decision.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.RungState;
import io.elastune.core.search.TrialResult;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.GpuSlot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Four trials with rungs at 1 and 2 units, half of which are promoted, on four GPUs. */
class RungForecasterTest {
  private static final double USD_PER_S = 12.24 / 3600;
  private static final Workload WORKLOAD =
      Workload.of(
          new RungRule(
              List.of(1, 2),
              4,
              2,
              RungRule.Variant.PROMOTION,
              true,
              OptionalInt.empty(),
              OptionalInt.empty(),
              false));

  /** All trials run at once for 40 s; those that are promoted start again for 40 s. */
  @Test
  void searchThatHasNotStartedRunsFromItsFirstRung() {
    RestForecast rest = forecast(new RunInProgress(WORKLOAD, 1, false));

    assertThat(rest.seconds()).isCloseTo(75 + 40 + 40, within(1e-9));
    assertThat(rest.usd()).isCloseTo(USD_PER_S * (60 + 40 + 40), within(1e-9));
  }

  /** The best of three results is promoted now, the second when trial 4 ends in 10 s. */
  @Test
  void resultsSoFarArePromotedAtOnce() {
    RestForecast rest = forecast(withThreeResults().attempt(4, 0, 1, new GpuSlot("a", 0), 30));

    assertThat(rest.seconds()).isCloseTo(10 + 40, within(1e-9));
    assertThat(rest.usd()).isCloseTo(USD_PER_S * 50, within(1e-9));
  }

  /** Trial 4 has no attempt: its task starts again, for 40 s. */
  @Test
  void interruptedTasksStartAgain() {
    RestForecast rest = forecast(withThreeResults());

    assertThat(rest.seconds()).isCloseTo(40 + 40, within(1e-9));
  }

  @Test
  void nothingIsLeftOfASearchThatHasFinished() {
    RungState finished =
        new RungState(
            RungState.Phase.FINISHED,
            4,
            List.of(List.of(List.of(), List.of())),
            new TreeMap<>(),
            new TreeSet<>(),
            new TreeSet<>());

    RestForecast rest = forecast(new RunInProgress(WORKLOAD, 1, false).chain(0, chain(finished)));

    assertThat(rest).isEqualTo(RestForecast.NONE);
  }

  private static RunInProgress withThreeResults() {
    SortedMap<Integer, Integer> tasks = new TreeMap<>();
    tasks.put(4, 0);
    RungState rungs =
        new RungState(
            RungState.Phase.CLOSING,
            4,
            List.of(List.of(List.of(result(2, 0.1), result(1, 0.2), result(3, 0.3)), List.of())),
            tasks,
            new TreeSet<>(),
            new TreeSet<>());
    return new RunInProgress(WORKLOAD, 1, false).ready("a", 0, 100).chain(0, chain(rungs));
  }

  private static RungState.Entry result(int trial, double loss) {
    return new RungState.Entry(new TrialResult(trial, loss), false);
  }

  private static ChainState chain(RungState rungs) {
    return new ChainState(
        0,
        List.of(),
        List.of(),
        List.of(),
        0,
        List.of(RunInProgress.NOW),
        List.of(),
        Optional.of(rungs),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static RestForecast forecast(RunInProgress run) {
    Forecaster forecaster = Forecasters.of(run.basis());
    assertThat(forecaster).isInstanceOf(RungForecaster.class);
    return forecaster.forecast();
  }
}
