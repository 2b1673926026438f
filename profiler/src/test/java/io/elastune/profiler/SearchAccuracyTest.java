package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MachineLoad;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Runs on an idle machine differ by 4 %, and one-shot trials take 10 s. */
class SearchAccuracyTest {
  private static final double RUN_CV = 0.04;
  private static final double ENOUGH = 1.25 * RUN_CV;

  @Test
  void measuresUntilTheMeasurementsAddLittleToTheVariationOfRuns() {
    assertThat(missing(12, 0.3, 4).orElseThrow().error()).isCloseTo(0.3, within(1e-12));
    assertThat(missing(12, ENOUGH + 1e-6, 4)).isPresent();
    assertThat(missing(12, ENOUGH - 1e-6, 4)).isEmpty();
  }

  /** Ten of twelve configurations leave a sixth of the variance between trials open. */
  @Test
  void configurationsOfTheSearchLeaveLittleOpen() {
    double error = 0.07;

    assertThat(accuracy(12, error, 10, false).missing(10, 5, 2)).isPresent();
    assertThat(accuracy(12, error, 10, true).missing(10, 5, 2)).isEmpty();
    assertThat(accuracy(12, 0.1, 10, true).missing(10, 5, 2).orElseThrow().error())
        .isCloseTo(Math.sqrt((0.01 - 0.0016) / 6 + 0.0016), within(1e-12));
  }

  /** Two equal trials may be equal by chance. A search of three trials has no fourth. */
  @Test
  void measuresFourConfigurationsIfThereAreFour() {
    assertThat(missing(12, 0.01, 2)).isPresent();
    assertThat(missing(12, 0.01, 3)).isPresent();
    assertThat(missing(3, 0.01, 2)).isPresent();
    assertThat(missing(3, 0.3, 3)).isEmpty();
  }

  @Test
  void measuresAtMostSixteenConfigurations() {
    assertThat(missing(1000, 0.3, 15)).isPresent();
    assertThat(missing(1000, 0.3, 16)).isEmpty();
  }

  /** Twelve trials of 10 s on two cores take a minute: 30 s are more than a quarter of it. */
  @Test
  void takesAtMostHalfAMinuteOrAQuarterOfTheSearch() {
    SearchAccuracy small = accuracy(12, 0.3, 4);
    assertThat(small.missing(100, 30, 2)).isPresent(); // the first question starts the time
    assertThat(small.missing(115, 15, 2).orElseThrow().leftS()).isCloseTo(15, within(1e-9));
    assertThat(small.missing(115, 15.1, 2)).isEmpty();

    SearchAccuracy large = accuracy(120, 0.3, 4); // 600 s on two cores
    assertThat(large.missing(100, 150, 2)).isPresent();
    assertThat(large.missing(100, 150.1, 2)).isEmpty();
  }

  /** Beside six other threads on two cores, two trials take four times as long. */
  @Test
  void halfAMinuteIsLongerBesideOtherPrograms() {
    Profile beside =
        profile(0.3, 4).withRunCv(0.15).withLoad(Optional.of(new MachineLoad(2, 1.5, 2)));
    SearchAccuracy accuracy = accuracy(12, OptionalDouble.empty(), beside, 4, false);

    assertThat(accuracy.missing(100, 120, 2).orElseThrow().leftS()).isCloseTo(120, within(1e-9));
    assertThat(accuracy.missing(100, 120.1, 2)).isEmpty();
    assertThat(new MachineLoad(2, 0.5, 1).slowdownByOthers()).isEqualTo(1);
  }

  /** The search takes a minute, so two minutes remain before the deadline. */
  @Test
  void leavesTimeForTheSearchBeforeItsDeadline() {
    SearchAccuracy accuracy = accuracy(12, OptionalDouble.of(150), profile(0.3, 4), 4, false);

    assertThat(accuracy.missing(10, 20, 2).orElseThrow().leftS()).isCloseTo(20, within(1e-9));
    assertThat(accuracy.missing(10, 20.1, 2)).isEmpty();
    assertThat(accuracy.missing(40, 1, 2)).isEmpty();
  }

  /** The first trials on an instance load files that others find in memory: they do not count. */
  @Test
  void configurationsCountIfTheirTimesDo() {
    assertThat(accuracy(12, OptionalDouble.empty(), profile(0.01, 2), 4, true).missing(10, 5, 2))
        .isPresent();
    assertThat(accuracy(12, OptionalDouble.empty(), profile(0.01, 4), 6, true).missing(10, 5, 2))
        .isEmpty();
  }

  @Test
  void needsAMeasurement() {
    SearchAccuracy none = new SearchAccuracy(workload(12), OptionalDouble.empty(), Optional::empty);

    assertThat(none.missing(0, 1, 2)).isEmpty();
  }

  private static Optional<SearchAccuracy.Missing> missing(
      int trials, double error, int configurations) {
    return accuracy(trials, error, configurations).missing(10, 5, 2);
  }

  private static SearchAccuracy accuracy(int trials, double error, int configurations) {
    return accuracy(trials, error, configurations, false);
  }

  private static SearchAccuracy accuracy(
      int trials, double error, int configurations, boolean areOfSearch) {
    return accuracy(
        trials,
        OptionalDouble.empty(),
        profile(error, configurations),
        configurations,
        areOfSearch);
  }

  private static SearchAccuracy accuracy(
      int trials,
      OptionalDouble deadlineS,
      Profile profile,
      int configurations,
      boolean areOfSearch) {
    return new SearchAccuracy(
        workload(trials),
        deadlineS,
        () -> Optional.of(new SearchAccuracy.Measured(profile, configurations, areOfSearch)));
  }

  private static Profile profile(double error, int count) {
    return Profile.builder(
            "train",
            "cpu",
            "fit",
            new MeasurementOrigin(Instant.EPOCH, "run p", count)
                .withNumbers(
                    List.of(new MeasuredNumber("training.1", 10, 10 * error, 0, 99, count))),
            new TreeMap<>(Map.of(1, 10.0)))
        .startupS(Spread.NONE)
        .runCv(RUN_CV)
        .build();
  }

  private static Workload workload(int trials) {
    return new Workload(List.of(new Chain("", List.of(new TrialGroup("1", trials, 0, 1)))));
  }
}
