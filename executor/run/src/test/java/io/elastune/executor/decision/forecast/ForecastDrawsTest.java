package io.elastune.executor.decision.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import io.elastune.executor.decision.WorkedExampleRun;
import io.elastune.executor.decision.model.RunDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The draws have the distributions of docs/model.md. */
class ForecastDrawsTest {
  private static final int TRIALS = 4_000;
  private static final RunDefinition RUN =
      WorkedExampleRun.forecasting(
          WorkedExampleRun.WORKLOAD,
          WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}),
          Map.of());
  private static final Profile PROFILE =
      ProfileBuilder.builder(WorkedExampleRun.PROFILE)
          .startupS(new Spread(10, 0.3))
          .trialCv(0.1)
          .unitCv(0.2)
          .build();

  @Test
  void factorsHaveTheMeanOneAndTheSpreadOfTheProfile() {
    check(draws -> trial -> draws.units(Optional.of(PROFILE), 4, false, 0, 1, trial), 0.1414);
    check(draws -> trial -> draws.units(Optional.of(PROFILE), 4, true, 0, 1, trial), 0.1);
    check(draws -> trial -> draws.startup(Optional.of(PROFILE), 0, 1, trial), 0.3);
  }

  @Test
  void stragglersAreScaledToTheSameMean() {
    Profile straggling =
        ProfileBuilder.builder(WorkedExampleRun.PROFILE).straggler(new Straggler(0.1, 3)).build();

    // The factors are 3/1.2 with probability 0.1, and 1/1.2.
    check(draws -> trial -> draws.units(Optional.of(straggling), 4, false, 0, 1, trial), 0.5);
  }

  @Test
  void measuredFactorsAreScaledToMeanOne() {
    Profile measured =
        ProfileBuilder.builder(WorkedExampleRun.PROFILE).samples(List.of(1.0, 2.0, 3.0)).build();

    check(draws -> trial -> draws.units(Optional.of(measured), 4, false, 0, 1, trial), 0.4082);
  }

  @Test
  void theSameTrialHasTheSameDrawInEachForecast() {
    ForecastDraws one = ForecastDraws.of(RUN, 5);
    ForecastDraws other = ForecastDraws.of(RUN, 5);

    assertThat(one.units(Optional.of(PROFILE), 4, false, 0, 1, 7))
        .isEqualTo(other.units(Optional.of(PROFILE), 4, false, 0, 1, 7))
        .isNotEqualTo(one.units(Optional.of(PROFILE), 4, false, 0, 2, 7));
  }

  @Test
  void nothingVariesWithoutSpread() {
    assertThat(ForecastDraws.vary(RUN)).isFalse();
  }

  private interface Draw {
    ToDoubleFunction<Integer> of(ForecastDraws draws);
  }

  private static void check(Draw draw, double cv) {
    double sum = 0;
    double squares = 0;
    int count = TRIALS * ForecastDraws.SAMPLES;
    for (int sample = 0; sample < ForecastDraws.SAMPLES; sample++) {
      ToDoubleFunction<Integer> of = draw.of(ForecastDraws.of(RUN, sample));
      for (int trial = 0; trial < TRIALS; trial++) {
        double factor = of.applyAsDouble(trial);
        sum += factor;
        squares += factor * factor;
      }
    }
    double mean = sum / count;
    assertThat(mean).isCloseTo(1, within(0.01));
    assertThat(Math.sqrt(squares / count - mean * mean)).isCloseTo(cv, within(0.01));
  }
}
