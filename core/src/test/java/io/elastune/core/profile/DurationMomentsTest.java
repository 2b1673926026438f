package io.elastune.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DurationMomentsTest {
  private static final double EXACT = 1e-12;

  @Test
  void logNormalFactorHasVarianceOfTrialsAndOfMeanUnit() {
    Profile profile = profile(List.of(), Straggler.NONE);

    assertThat(DurationMoments.trial(profile, 4, 2)).isEqualTo(1 + 0.09 + 0.04, within(EXACT));
    assertThat(DurationMoments.trial(profile, 4, 3)).isEqualTo(Math.pow(1.13, 3), within(EXACT));
    assertThat(DurationMoments.trialWithoutUnits(profile, 2)).isEqualTo(1.09, within(EXACT));
  }

  @Test
  void samplesReplaceLogNormalFactor() {
    Profile profile = profile(List.of(1.0, 3.0), Straggler.NONE);

    assertThat(DurationMoments.trial(profile, 4, 2)).isEqualTo(5 / 4.0, within(EXACT));
    assertThat(DurationMoments.trial(profile, 4, 3)).isEqualTo(14 / 8.0, within(EXACT));
  }

  /** One of ten is three times as slow: the mean is 1.2, and the mean square 1.8. */
  @Test
  void stragglersMultiplyMoments() {
    Profile profile = profile(List.of(), new Straggler(0.1, 3));

    assertThat(DurationMoments.trialWithoutUnits(profile, 2))
        .isEqualTo(1.09 * 1.8 / 1.44, within(EXACT));
    assertThat(DurationMoments.instance(profile, 2)).isEqualTo(1.04 * 1.8 / 1.44, within(EXACT));
    assertThat(DurationMoments.instance(profile, 3))
        .isEqualTo(Math.pow(1.04, 3) * (0.9 + 2.7) / Math.pow(1.2, 3), within(EXACT));
  }

  private static Profile profile(List<Double> samples, Straggler straggler) {
    return Profile.builder(
            "p",
            "V100",
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "test", 1),
            new TreeMap<>(Map.of(1, 2.0)))
        .startupS(new Spread(1, 0))
        .checkpointS(new Spread(2, 0))
        .trialCv(0.3)
        .unitCv(0.4)
        .straggler(straggler)
        .samples(samples)
        .instanceCv(0.2)
        .instanceStraggler(straggler)
        .build();
  }
}
