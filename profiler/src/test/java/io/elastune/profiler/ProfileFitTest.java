package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.Profile;
import io.elastune.executor.journal.PreparationRow;
import io.elastune.profiler.AttemptTimes.Report;
import io.elastune.profiler.AttemptTimes.ReportedStartup;
import io.elastune.profiler.MeasuredProfile.SizeAccuracy;
import io.elastune.profiler.RunMeasurements.LeaseTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileFitTest {
  private static final Offset<Double> EXACT = within(1e-9);

  /**
   * Attempts with 10 s of start-up and 2 s of shutdown, and reports after every {@code every} of 3
   * s per unit. Attempts are as long as those of a profiling run.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 150, 100_000})
  void dividesByTheUnitsReported(int every) {
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int units : List.of(1, 3, 4, 8, 16, 32, 64, 128, 256)) {
      attempts.add(attempt(1, units, every, 10, 3, 2));
    }

    Profile profile = profile(attempts);

    assertThat(profile.secondsByGpus().get(1)).isEqualTo(3, EXACT);
    assertThat(profile.startupS().mean()).isEqualTo(12, EXACT);
    assertThat(profile.startupKnown()).isTrue();
    assertThat(profile.unitCv()).isEqualTo(0, EXACT);
  }

  /** Every attempt has the same number of units, so that any start-up fits. */
  @Test
  void startupThatCannotBeSeparatedIsPartOfTheUnits() {
    Profile profile = profile(List.of(attempt(1, 4, 4, 10, 3, 2), attempt(2, 4, 4, 10, 3, 2)));

    assertThat(profile.secondsByGpus()).containsEntry(1, 24 / 4.0);
    assertThat(profile.startupKnown()).isFalse();
    assertThat(profile.startupS().mean()).isZero();
  }

  /** Later runs are combined with it. */
  @Test
  void unitsWithStartupHaveAnAccuracy() {
    Profile profile = profile(List.of(attempt(1, 4, 4, 10, 3, 2), attempt(2, 4, 4, 14, 3, 2)));

    assertThat(profile.measured().number("training.1").orElseThrow().value()).isEqualTo(6.5);
    assertThat(profile.measured().number("training.1").orElseThrow().standardError())
        .isEqualTo(0.5, EXACT);
  }

  @Test
  void startupOfOneSizeAppliesToTheOthers() {
    Profile profile =
        profile(
            List.of(
                attempt(1, 8, 1, 10, 3, 2),
                times(2, 2, false, 4, List.of(new Report(4, 18)), OptionalDouble.of(20))));

    assertThat(profile.secondsByGpus().get(2)).isEqualTo((20 - 12) / 4.0, EXACT);
    assertThat(profile.startupKnown()).isTrue();
  }

  /** The last interval has a checkpoint of 5 s, which every attempt writes once. */
  @Test
  void checkpointAtTheEndCountsAsStartup() {
    List<Report> reports = List.of(new Report(1, 4), new Report(2, 7), new Report(3, 15));
    Profile profile = profile(List.of(times(1, 1, false, 3, reports, OptionalDouble.of(15))));

    assertThat(profile.secondsByGpus()).containsEntry(1, 3.0);
    assertThat(profile.startupS().mean()).isEqualTo(1 + 5, EXACT);
  }

  @Test
  void firstAttemptOnAnInstanceIsLeftOut() {
    List<AttemptTimes> attempts =
        List.of(cold(attempt(1, 4, 1, 60, 3, 0)), attempt(1, 4, 1, 10, 3, 0));

    assertThat(profile(attempts).startupS().mean()).isEqualTo(10, EXACT);
    assertThat(profile(attempts.subList(0, 1)).startupS().mean()).isEqualTo(60, EXACT);
  }

  @Test
  void firstAttemptOnAFreshInstanceCountsAsBoot() {
    List<AttemptTimes> attempts =
        List.of(cold(attempt(1, 4, 1, 60, 3, 0)), attempt(1, 4, 1, 10, 3, 0));

    MeasuredProfile measured =
        new ProfileFit(attempts)
            .profile(
                "p",
                "V100",
                "epoch",
                Instant.EPOCH,
                "run x",
                Optional.empty(),
                List.of(new LeaseTimes("a", 5, 40, PreparationRow.UNKNOWN)),
                true);

    assertThat(measured.profile().provisioning().get(0).bootS().mean()).isEqualTo(90, EXACT);
  }

  @Test
  void stoppedAttemptCountsUpToItsLastReport() {
    List<Report> reports = List.of(new Report(1, 13), new Report(2, 16));
    Profile profile = profile(List.of(times(1, 1, false, 50, reports, OptionalDouble.empty())));

    assertThat(profile.secondsByGpus()).containsEntry(1, 3.0);
    assertThat(profile.startupS().mean()).isEqualTo(10, EXACT);
  }

  @Test
  void startupIsNeverNegative() {
    List<Report> reports = List.of(new Report(1, 1), new Report(2, 4), new Report(3, 7));
    Profile profile = profile(List.of(times(1, 1, false, 3, reports, OptionalDouble.of(7))));

    assertThat(profile.secondsByGpus()).containsEntry(1, 3.0);
    assertThat(profile.startupS().mean()).isZero();
  }

  /** Fits a profile to times drawn from known distributions. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void recoversKnownSpreads(int every) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(20261120);
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int trial = 0; trial < 600; trial++) {
      double speed = 1 + 0.06 * random.nextGaussian();
      List<Report> reports = new ArrayList<>();
      double seconds = 5;
      for (int unit = 1; unit <= 20; unit++) {
        seconds += 20 * speed * (1 + 0.10 * random.nextGaussian());
        if (unit % every == 0) {
          reports.add(new Report(unit, seconds));
        }
      }
      attempts.add(times(1, trial, false, 20, reports, OptionalDouble.of(seconds)));
    }

    MeasuredProfile measured = measured(attempts);

    assertThat(measured.profile().secondsByGpus().get(1)).isEqualTo(20, within(0.2));
    assertThat(measured.profile().unitCv()).isEqualTo(0.10, within(0.005));
    assertThat(measured.profile().trialCv()).isEqualTo(0.06, within(0.008));
    assertThat(measured.sizes())
        .extracting(SizeAccuracy::trials, SizeAccuracy::gpus)
        .containsExactly(tuple(600, 1));
    assertThat(measured.sizes().get(0).standardErrorS())
        .isEqualTo(20 * 0.06 / Math.sqrt(600), within(0.01));
  }

  /** Units of a millisecond, with reports that arrive up to 5 ms late. */
  @Test
  void lateReportsAreNotSpreadOfUnits() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(20261120);
    List<Report> reports = new ArrayList<>();
    for (int unit = 1; unit <= 4000; unit++) {
      double last = reports.isEmpty() ? 0 : reports.get(unit - 2).seconds();
      reports.add(new Report(unit, Math.max(last, unit / 1e3 + 0.005 * random.nextDouble())));
    }

    Profile profile = profile(List.of(times(1, 1, false, 4000, reports, OptionalDouble.of(4.1))));

    assertThat(profile.secondsByGpus().get(1)).isEqualTo(0.001, within(1e-5));
    assertThat(profile.unitCv()).isLessThan(0.5);
  }

  @Test
  void measuresProvisioningByOffer() {
    Profile profile =
        new ProfileFit(List.of(attempt(1, 4, 1, 1, 1, 0)))
            .profile(
                "p",
                "V100",
                "epoch",
                Instant.EPOCH,
                "run x",
                Optional.empty(),
                List.of(
                    new LeaseTimes("a", 10, 40, MeasuredPreparation.of(8, 5)),
                    new LeaseTimes("a", 20, 60, MeasuredPreparation.of(12, 7))),
                true)
            .profile();

    assertThat(profile.provisioning())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.offer()).isEqualTo("a");
              assertThat(found.samples()).isEqualTo(2);
              assertThat(found.queueS().mean()).isEqualTo(15);
              assertThat(found.bootS().mean()).isEqualTo(50);
              assertThat(found.setupS().mean()).isEqualTo(10);
              assertThat(found.imageS().mean()).isEqualTo(6);
              assertThat(found.bootS().cv()).isEqualTo(14.142 / 50, within(1e-4));
            });
  }

  @Test
  void rejectsEmptyMeasurements() {
    assertThatThrownBy(() -> new ProfileFit(List.of())).hasMessageContaining("nothing was");
  }

  private static AttemptTimes attempt(
      int trial, int units, int every, double startS, double unitS, double endS) {
    List<Report> reports =
        Stream.iterate(1, unit -> unit <= units, unit -> unit + 1)
            .filter(unit -> unit % every == 0 || unit == units)
            .map(unit -> new Report(unit, startS + unit * unitS))
            .toList();
    double total = startS + units * unitS + endS;
    return times(1, trial, false, units, reports, OptionalDouble.of(total));
  }

  private static AttemptTimes times(
      int gpus, int trial, boolean cold, int units, List<Report> reports, OptionalDouble totalS) {
    return new AttemptTimes(
        TrialSize.of(gpus),
        trial,
        List.of("lease"),
        cold,
        units,
        reports,
        totalS,
        ReportedStartup.NONE);
  }

  private static AttemptTimes cold(AttemptTimes times) {
    return times(
        times.size().gpus(), times.trial(), true, times.units(), times.reports(), times.totalS());
  }

  private static Profile profile(List<AttemptTimes> attempts) {
    return measured(attempts).profile();
  }

  private static MeasuredProfile measured(List<AttemptTimes> attempts) {
    return new ProfileFit(attempts)
        .profile("p", "V100", "epoch", Instant.EPOCH, "run x", Optional.empty(), List.of(), false);
  }
}
