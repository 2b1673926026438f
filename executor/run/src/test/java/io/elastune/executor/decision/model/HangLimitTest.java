package io.elastune.executor.decision.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The times after which an attempt counts as hung (docs/trial-protocol.md). */
class HangLimitTest {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  private static HangLimit limit(double startupS, double unitS, double trialCv) {
    TrialDuration predicted = new TrialDuration(startupS, 0, unitS, trialCv * trialCv, 0);
    return new HangLimit(Optional.of(predicted), NONE, NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "45, true, 141, 470", // 2 s of start-up and 45 s of training
    "45, false, 135, 450",
    "1, false, 20, 300",
  })
  void limitsCoverAllUnitsUntilTheLastReport(
      int units, boolean starting, double silenceS, double reportS) {
    HangLimit.Times times = limit(2, 1, 0).times(units, starting, 1).orElseThrow();

    assertThat(times).isEqualTo(new HangLimit.Times(silenceS, reportS));
  }

  @Test
  void spreadAndSlownessExtendThem() {
    HangLimit.Times exact = limit(0, 10, 0).times(10, false, 1).orElseThrow();

    assertThat(limit(0, 10, 0.5).times(10, false, 1).orElseThrow().silenceS())
        .isEqualTo(exact.silenceS() + 6 * 0.5 * 100, within(1e-9));
    assertThat(limit(0, 10, 0).times(10, false, 4).orElseThrow().silenceS())
        .isEqualTo(4 * exact.silenceS());
    assertThat(limit(0, 10, 0).times(10, false, 0.1).orElseThrow())
        .as("a fast start is no reason to stop a later trial")
        .isEqualTo(exact);
  }

  @Test
  void silenceOfTheJobReplacesTheLimit() {
    TrialDuration predicted = new TrialDuration(0, 0, 1, 0, 0);

    assertThat(
            new HangLimit(Optional.of(predicted), OptionalDouble.of(1800), NONE).times(45, true, 1))
        .hasValue(new HangLimit.Times(1800, 1800));
    assertThat(new HangLimit(Optional.of(predicted), OptionalDouble.of(5), NONE).times(45, true, 1))
        .hasValue(new HangLimit.Times(5, 450));
    assertThat(HangLimit.fixed(60).times(1, true, 1)).hasValue(new HangLimit.Times(60, 60));
    assertThat(new HangLimit(Optional.empty(), NONE, NONE).times(1, true, 1)).isEmpty();
  }
}
