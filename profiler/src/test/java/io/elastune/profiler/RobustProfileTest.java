package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.profiler.AttemptTimes.Report;
import io.elastune.profiler.AttemptTimes.ReportedStartup;
import io.elastune.profiler.MeasuredProfile.SizeAccuracy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles of measurements that went wrong, or that are hard: each states what is uncertain. */
class RobustProfileTest {
  private static final double STARTUP_S = 20;
  private static final double UNIT_S = 10;

  private final RandomGenerator random = SyntheticLaw.stream(11, "robust");

  @Test
  void noisyMachineHasWideIntervals() {
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int trial = 0; trial < 4; trial++) {
      attempts.add(attempt(trial, "a", 5, UNIT_S, 0.5));
    }

    MeasuredNumber unit = number(profile(attempts), "training.1");
    assertThat(unit.low()).isLessThan(UNIT_S);
    assertThat(unit.high()).isGreaterThan(UNIT_S);
    assertThat(unit.standardError()).isGreaterThan(0.05 * UNIT_S);
  }

  /** What a trial reported before it crashed counts; its end does not. */
  @Test
  void trialsThatCrashCountUpToTheirLastReport() {
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int trial = 0; trial < 4; trial++) {
      AttemptTimes whole = attempt(trial, "a", 8, UNIT_S, 0);
      attempts.add(trial < 2 ? crashed(whole, 3) : whole);
    }

    Profile profile = profile(attempts);
    assertThat(profile.secondsByGpus().get(1)).isEqualTo(UNIT_S, within(1e-9));
    assertThat(profile.startupS().mean()).isEqualTo(STARTUP_S, within(1e-9));
  }

  /** One unit of an hour: start-up cannot be separated, and the profile says so. */
  @Test
  void unitOfAnHourIsMeasuredWithItsStartup() {
    Profile profile = profile(List.of(attempt(0, "a", 1, 3600, 0)));

    assertThat(profile.secondsByGpus()).containsEntry(1, 3600 + STARTUP_S);
    assertThat(profile.startupKnown()).isFalse();
    assertThat(profile.measured().numbers()).isEmpty();
  }

  /** Reports of milliseconds that arrive up to 5 ms late, in one of three attempts per trial. */
  @Test
  void unitsOfMillisecondsAreKnown() {
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int trial = 0; trial < 3; trial++) {
      List<Report> reports = new ArrayList<>();
      for (int unit = 10; unit <= 3000; unit += 10) {
        reports.add(new Report(unit, 1 + unit / 1e3 + 0.005 * random.nextDouble()));
      }
      attempts.add(times(trial, "a", 3000, reports, 4.02));
    }

    Profile profile = profile(attempts);
    assertThat(profile.secondsByGpus().get(1)).isEqualTo(0.001, within(2e-5));
    assertThat(profile.startupS().mean()).isEqualTo(1.02, within(0.05));
    assertThat(number(profile, "training.1").standardError()).isLessThan(5e-5);
  }

  @Test
  void trialsWithoutIntermediateReportsHaveAnInterval() {
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int units : List.of(4, 8, 16, 5, 9, 17)) {
      AttemptTimes whole = attempt(units, "a", units, UNIT_S, 0.05);
      Report end = whole.reports().get(units - 1);
      attempts.add(times(units, "a", units, List.of(end), end.seconds()));
    }

    MeasuredNumber unit = number(profile(attempts), "training.1");
    assertThat(unit.low()).isLessThan(UNIT_S);
    assertThat(unit.high()).isGreaterThan(UNIT_S);
    assertThat(unit.standardError()).isBetween(0.001 * UNIT_S, 0.1 * UNIT_S);
    assertThat(unit.count()).isEqualTo(6);
  }

  @Test
  void slowInstanceOutOfFourIsNotSpreadOfTrials() {
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int trial = 0; trial < 16; trial++) {
      double slowness = trial < 4 ? 1.5 : 1;
      attempts.add(attempt(trial, "lease " + trial / 4, 8, UNIT_S * slowness, 0.02));
    }

    Profile profile = profile(attempts);
    assertThat(profile.instanceCv()).isBetween(0.15, 0.35);
    assertThat(profile.trialCv()).isLessThan(0.03);
    assertThat(number(profile, "training.1").high()).isGreaterThan(1.3 * UNIT_S);
  }

  /** The clock is set by ten minutes while one of six attempts runs. */
  @ParameterizedTest
  @ValueSource(doubles = {600, -600})
  void clockStepDoesNotCount(double stepS) {
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int trial = 0; trial < 6; trial++) {
      AttemptTimes whole = attempt(trial, "a", 8, UNIT_S, 0.02);
      attempts.add(trial == 3 ? stepped(whole, 4, stepS) : whole);
    }

    MeasuredProfile measured = measured(attempts);
    Profile profile = measured.profile();
    assertThat(profile.secondsByGpus().get(1)).isEqualTo(UNIT_S, within(0.03 * UNIT_S));
    assertThat(profile.unitCv()).isLessThan(0.04);
    assertThat(profile.startupS().mean()).isEqualTo(STARTUP_S, within(1.0));
    assertThat(measured.sizes()).extracting(SizeAccuracy::trials).containsExactly(5);
  }

  @Test
  void clockThatWasAlwaysSetBackIsRefused() {
    List<AttemptTimes> attempts = List.of(stepped(attempt(0, "a", 8, UNIT_S, 0), 4, -600));

    assertThatThrownBy(() -> new ProfileFit(attempts))
        .hasMessageContaining("the clock was set back during every attempt");
  }

  /** Trials that are nearly equal, on several instances, do not lose all digits. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-12, 1e-9, 1e-6, 1e-4})
  void nearlyEqualTrialsAreFitted(double cv) {
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int trial = 0; trial < 12; trial++) {
      double slowness = trial < 4 ? 1.5 : 1;
      attempts.add(attempt(trial, "lease " + trial / 4, 8, UNIT_S * slowness, cv));
    }

    Profile profile = profile(attempts);
    assertThat(profile.instanceCv()).isBetween(0.15, 0.5);
    assertThat(profile.trialCv()).isLessThan(0.01);
    assertThat(profile.secondsByGpus().get(1)).isEqualTo(UNIT_S * 3.5 / 3, within(0.05));
  }

  /** Every attempt has a long pause: it is part of the program, so it is predicted. */
  @Test
  void pausesOfMostAttemptsCount() {
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int trial = 0; trial < 4; trial++) {
      attempts.add(stepped(attempt(trial, "a", 8, UNIT_S, 0), 4, 600));
    }

    assertThat(profile(attempts).secondsByGpus().get(1)).isEqualTo(UNIT_S + 100, within(1e-6));
  }

  private AttemptTimes attempt(int trial, String lease, int units, double unitS, double cv) {
    double now = STARTUP_S;
    List<Report> reports = new ArrayList<>();
    for (int unit = 1; unit <= units; unit++) {
      now += unitS * SyntheticLaw.factor(random, cv);
      reports.add(new Report(unit, now));
    }
    return times(trial, lease, units, reports, now);
  }

  private static AttemptTimes times(
      int trial, String lease, int units, List<Report> reports, double totalS) {
    return new AttemptTimes(
        TrialSize.of(1),
        trial,
        List.of(lease),
        false,
        units,
        reports,
        OptionalDouble.of(totalS),
        ReportedStartup.NONE);
  }

  private static AttemptTimes crashed(AttemptTimes whole, int reports) {
    return new AttemptTimes(
        whole.size(),
        whole.trial(),
        whole.leases(),
        false,
        whole.units(),
        whole.reports().subList(0, reports),
        OptionalDouble.empty(),
        ReportedStartup.NONE);
  }

  private static AttemptTimes stepped(AttemptTimes whole, int after, double stepS) {
    List<Report> reports =
        whole.reports().stream()
            .map(r -> new Report(r.units(), r.seconds() + (r.units() > after ? stepS : 0)))
            .toList();
    double totalS = whole.totalS().orElseThrow() + stepS;
    return times(whole.trial(), whole.leases().get(0), whole.units(), reports, totalS);
  }

  private static MeasuredNumber number(Profile profile, String name) {
    return profile.measured().number(name).orElseThrow();
  }

  private static Profile profile(List<AttemptTimes> attempts) {
    return measured(attempts).profile();
  }

  private static MeasuredProfile measured(List<AttemptTimes> attempts) {
    return new ProfileFit(attempts)
        .profile("p", "V100", "epoch", Instant.EPOCH, "run x", Optional.empty(), List.of(), false);
  }
}
