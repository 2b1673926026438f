package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.profiler.ProfileFit.LeaseTimes;
import io.elastune.profiler.ProfileFit.TrialTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class ProfileFitTest {
  private static final MeasurementOrigin MEASURED =
      new MeasurementOrigin(Instant.EPOCH, "run x", 9);

  @Test
  void firstUnitCountsAsStartup() {
    Profile profile =
        fit(new TrialTimes(1, 13, List.of(3.0, 3.0)), new TrialTimes(2, 12, List.of(2.0, 2.0)));

    assertThat(profile.secondsByGpus()).containsEntry(1, 3.0).containsEntry(2, 2.0);
    assertThat(profile.startupS().mean()).isEqualTo(10);
    assertThat(profile.startupS().cv()).isZero();
    assertThat(profile.unitCv()).isZero();
    assertThat(profile.trialCv()).isZero();
  }

  @Test
  void singleUnitTrialsHaveNoStartup() {
    Profile profile = fit(new TrialTimes(1, 5, List.of()));

    assertThat(profile.secondsByGpus()).containsEntry(1, 5.0);
    assertThat(profile.startupS().mean()).isZero();
  }

  @Test
  void startupIsNeverNegative() {
    assertThat(fit(new TrialTimes(1, 2, List.of(3.0))).startupS().mean()).isZero();
  }

  /** Fits a profile to times drawn from known distributions. */
  @Test
  void recoversKnownSpreads() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(20261120);
    List<TrialTimes> trials = new ArrayList<>();
    for (int trial = 0; trial < 600; trial++) {
      double speed = 1 + 0.06 * random.nextGaussian();
      List<Double> later = new ArrayList<>();
      for (int unit = 0; unit < 8; unit++) {
        later.add(20 * speed * (1 + 0.10 * random.nextGaussian()));
      }
      trials.add(new TrialTimes(1, 25, later));
    }

    Profile profile = ProfileFit.of("p", "V100", "epoch", MEASURED, trials, List.of());

    assertThat(profile.secondsByGpus().get(1)).isEqualTo(20, within(0.2));
    assertThat(profile.unitCv()).isEqualTo(0.10, within(0.005));
    assertThat(profile.trialCv()).isEqualTo(0.06, within(0.008));
  }

  @Test
  void measuresProvisioningByOffer() {
    Profile profile =
        ProfileFit.of(
            "p",
            "V100",
            "epoch",
            MEASURED,
            List.of(new TrialTimes(1, 2, List.of(1.0))),
            List.of(new LeaseTimes("a", 10, 40), new LeaseTimes("a", 20, 60)));

    assertThat(profile.provisioning())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.offer()).isEqualTo("a");
              assertThat(found.samples()).isEqualTo(2);
              assertThat(found.queueS().mean()).isEqualTo(15);
              assertThat(found.bootS().mean()).isEqualTo(50);
              assertThat(found.bootS().cv()).isEqualTo(14.142 / 50, within(1e-4));
            });
  }

  @Test
  void rejectsEmptyMeasurements() {
    assertThatThrownBy(() -> fit()).hasMessageContaining("nothing was measured");
  }

  private static Profile fit(TrialTimes... trials) {
    return ProfileFit.of("p", "V100", "epoch", MEASURED, List.of(trials), List.of());
  }
}
