package io.elastune.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Checks how the rule of Fluid follows from a profile. */
class FluidOptionsTest {
  private static final List<Integer> ALLOWED = List.of(1, 2, 3, 4);

  @Test
  void stopsPackingBeforeTrialsTakeMoreGpuTime() {
    Profile two = sharing(Map.of(2, 48.0, 3, 75.0));
    assertThat(FluidOptions.saving(two, 2)).isCloseTo(0.2, within(1e-12));
    assertThat(FluidOptions.saving(two, 3)).isCloseTo(-0.0417, within(5e-5));
    assertThat(FluidOptions.DEFAULT.packingLimit(two)).isEqualTo(2);

    Profile three = sharing(Map.of(2, 40.0, 3, 54.0, 4, 76.0));
    assertThat(FluidOptions.saving(three, 2)).isCloseTo(0.333, within(5e-4));
    assertThat(FluidOptions.saving(three, 3)).isCloseTo(0.1, within(1e-12));
    assertThat(FluidOptions.saving(three, 4)).isCloseTo(-0.056, within(5e-4));
    assertThat(FluidOptions.DEFAULT.packingLimit(three)).isEqualTo(3);
  }

  @Test
  void packsOnlyWhatWasMeasured() {
    assertThat(FluidOptions.DEFAULT.packingLimit(sharing(Map.of()))).isEqualTo(1);
    assertThat(FluidOptions.DEFAULT.packingLimit(sharing(Map.of(3, 54.0)))).isEqualTo(1);
    assertThat(FluidOptions.DEFAULT.packingLimit(sharing(Map.of(2, 58.0)))).isEqualTo(1);
  }

  @Test
  void derivesTheRuleFromAProfile() {
    Profile profile = sharing(Map.of(2, 40.0, 3, 54.0));

    FluidRule rule = rule(profile, OptionalInt.empty(), OptionalInt.empty());

    assertThat(rule.isDynamic()).isTrue();
    assertThat(rule.sizes()).containsExactly(1, 2); // 3 and 4 GPUs are not faster
    assertThat(rule.share()).isEqualTo(3);
    assertThat(rule.resizeS()).isEqualTo(12);
    assertThat(rule(profile, OptionalInt.of(1), OptionalInt.of(2)).sizes()).containsExactly(1);
    assertThat(rule(profile, OptionalInt.of(1), OptionalInt.of(2)).share()).isEqualTo(2);
  }

  @Test
  void sharesNoGpuIfATrialNeedsSeveral() {
    FluidRule rule = FluidOptions.DEFAULT.rule(sharing(Map.of(2, 40.0)), List.of(2, 4));

    assertThat(rule.share()).isEqualTo(1);
  }

  @Test
  void refusesALimitBelowAllSizes() {
    assertThatThrownBy(
            () ->
                options(OptionalInt.of(1), OptionalInt.empty()).rule(sharing(Map.of()), List.of(2)))
        .hasMessageContaining("at least one number of GPUs");
  }

  private static FluidRule rule(Profile profile, OptionalInt maxGpus, OptionalInt maxShare) {
    return options(maxGpus, maxShare).rule(profile, ALLOWED);
  }

  private static FluidOptions options(OptionalInt maxGpus, OptionalInt maxShare) {
    return new FluidOptions(
        true, maxGpus, maxShare, FluidOptions.DEFAULT_SHARE_GAIN, Optional.empty());
  }

  private static Profile sharing(Map<Integer, Double> secondsBySharing) {
    return Profile.builder(
            "train",
            "A10G",
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "by hand", 1),
            new TreeMap<>(Map.of(1, 30.0, 2, 16.0, 4, 16.0)))
        .secondsBySharing(new TreeMap<>(secondsBySharing))
        .startupS(new Spread(10, 0))
        .checkpointS(new Spread(2, 0))
        .build();
  }
}
