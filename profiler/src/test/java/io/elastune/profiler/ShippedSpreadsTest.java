package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.config.ProfileFile;
import io.elastune.core.profile.Profile;
import org.junit.jupiter.api.Test;

class ShippedSpreadsTest {
  private static final String PROFILE =
      """
      program: law
      gpu: A10G
      unit: epoch
      measured:
        at: 2026-11-20T06:00:00Z
        source: run r-17
        samples: 40
        numbers: [%s]
      training: [{gpus: 1, seconds: 30}]
      trial_cv: 0.1
      """;

  private static Profile profile(String numbers) {
    return ProfileFile.parse("profile.yaml", PROFILE.formatted(numbers)).orThrow();
  }

  private static String trials(int count) {
    return "{name: trial_cv, value: 0.1, standard_error: 0.01, low: 0.05, high: 0.2, count: "
        + count
        + "}";
  }

  @Test
  void spreadWithoutAMeasurementIsTheShippedOne() {
    Profile combined = ShippedSpreads.combined(profile(""));

    assertThat(combined.unitCv()).isEqualTo(0.03);
    assertThat(combined.trialCv()).isEqualTo(0.02);
    assertThat(combined.instanceCv()).isEqualTo(0.02);
    assertThat(ShippedSpreads.assumed(profile(""))).containsExactly("units", "trials", "instances");
  }

  /** Three comparisons: (3 x 0.1^2 + 0.02^2) / 4. */
  @Test
  void weightFollowsTheEvidence() {
    Profile few = profile(trials(4));

    assertThat(ShippedSpreads.combined(few).trialCv()).isCloseTo(0.0872, within(1e-4));
    assertThat(ShippedSpreads.combined(profile(trials(400))).trialCv())
        .isCloseTo(0.1, within(2e-4));
    assertThat(ShippedSpreads.assumed(few)).containsExactly("units", "instances");
  }

  /** Their spread is that of the usual trials, or the samples themselves. */
  @Test
  void measuredStragglersAreNotChanged() {
    String text = PROFILE.formatted(trials(40)) + "straggler: {probability: 0.1, slowdown: 2}\n";
    Profile stragglers = ProfileFile.parse("profile.yaml", text).orThrow();

    assertThat(ShippedSpreads.combined(stragglers).trialCv()).isEqualTo(0.1);
  }
}
