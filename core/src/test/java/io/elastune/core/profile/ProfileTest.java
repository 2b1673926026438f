package io.elastune.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProfileTest {
  @Test
  void interpolatesThroughputAndNeverExtrapolates() {
    Profile profile = profile(Map.of(2, 10.0, 4, 5.0, 8, 4.0));

    assertThat(profile.secondsPerUnit(4)).hasValue(5.0);
    assertThat(profile.secondsPerUnit(3).orElseThrow())
        .isEqualTo(1 / ((1 / 10.0 + 1 / 5.0) / 2), within(1e-12));
    assertThat(profile.secondsPerUnit(5).orElseThrow())
        .isEqualTo(1 / (0.75 / 5 + 0.25 / 4), within(1e-12));
    assertThat(profile.secondsPerUnit(1)).isEmpty();
    assertThat(profile.secondsPerUnit(9)).isEmpty();
  }

  @Test
  void acceptsTablesThatAreNotMonotone() {
    Profile profile = profile(Map.of(1, 1.89, 2, 1.0, 4, 0.63, 8, 1.36));

    assertThat(profile.secondsPerUnit(6).orElseThrow()).isBetween(0.63, 1.36);
  }

  @Test
  void rejectsInvalidValues() {
    assertThatThrownBy(() -> profile(Map.of(1, 0.0))).hasMessageContaining("seconds");
    assertThatThrownBy(() -> profile(Map.of(1, Double.NaN))).hasMessageContaining("seconds");
    assertThatThrownBy(() -> profile(Map.of(0, 1.0))).hasMessageContaining("training.gpus");
    assertThatThrownBy(() -> profile(Map.of())).hasMessageContaining("training");
  }

  /** Every component has its own value, so that exchanged components are detected. */
  @Test
  void copiesKeepOtherComponents() {
    Profile profile =
        Profile.builder(
                "p",
                "V100",
                "epoch",
                new MeasurementOrigin(Instant.EPOCH, "test", 1),
                new TreeMap<>(Map.of(1, 2.0)))
            .secondsBySharing(new TreeMap<>(Map.of(2, 3.0)))
            .startupS(new Spread(1, 0.1))
            .checkpointS(new Spread(2, 0.2))
            .trialCv(0.3)
            .unitCv(0.4)
            .straggler(new Straggler(0.5, 5))
            .samples(List.of(6.0))
            .instanceCv(0.7)
            .instanceStraggler(new Straggler(0.8, 8))
            .startupKnown(false)
            .build();

    assertThat(profile.withOrigin(profile.measured())).isEqualTo(profile);
    assertThat(profile.onGpu("T4"))
        .isNotEqualTo(profile)
        .usingRecursiveComparison()
        .ignoringFields("gpu")
        .isEqualTo(profile);
  }

  private static Profile profile(Map<Integer, Double> seconds) {
    return Profile.builder(
            "p",
            "V100",
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "test", 1),
            new TreeMap<>(seconds))
        .build();
  }
}
