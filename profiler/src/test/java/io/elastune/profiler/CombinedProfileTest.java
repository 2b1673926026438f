package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.profile.RankCorrelation;
import io.elastune.profiler.history.ProgramEvidence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests the combination of a stored profile with the runs of its program. */
class CombinedProfileTest {
  private static final Instant MEASURED = Instant.parse("2026-11-20T06:00:00Z");
  private static final double NORMAL = 1.959963984540054;

  private static MeasuredNumber number(String name, double value, double error, int count) {
    double half = NORMAL * error;
    return new MeasuredNumber(name, value, error, Math.max(0, value - half), value + half, count);
  }

  /** A program that takes {@code seconds} per unit with one GPU and half as much with two. */
  private static Profile profile(String run, String code, double seconds, double error, int count) {
    return Profile.builder(
            "job",
            "V100",
            "epoch",
            new MeasurementOrigin(
                MEASURED,
                "run " + run,
                10 * count,
                Optional.of(code),
                List.of(
                    number("training.1", seconds, error, count),
                    number("startup_s.mean", 10, 1, count),
                    number("trial_cv", 0.03, 0.01, count))),
            new TreeMap<>(Map.of(1, seconds, 2, seconds / 2)))
        .startupS(new Spread(10, 0.2))
        .trialCv(0.03)
        .unitCv(0.05)
        .provisioning(
            List.of(new ProvisioningTimes("offer", new Spread(20, 0), new Spread(60, 0), 1)))
        .build();
  }

  private static ProgramEvidence run(int number, String code, double seconds, double error) {
    return new ProgramEvidence(
        "r-" + number,
        MEASURED.plusSeconds(3600L * number),
        Optional.of(code),
        "key",
        profile("r-" + number, code, seconds, error, 8));
  }

  private static final Profile STORED = profile("r-0", "code", 30, 1, 4);

  /** Runs before the profile was measured again ran a program that may have needed more. */
  @Test
  void mostMemorySinceTheMeasurementCounts() {
    Profile stored = STORED.withMemoryGb(OptionalDouble.of(2));

    assertThat(CombinedProfile.of(stored, List.of(using(1, 3.1), using(2, 1))).profile().memoryGb())
        .hasValue(3.1);
    assertThat(CombinedProfile.of(stored, List.of(using(-1, 3.1))).profile().memoryGb())
        .hasValue(2);
    assertThat(CombinedProfile.of(STORED, List.of(run(1, "code", 30, 1))).profile().memoryGb())
        .isEmpty();
  }

  private static ProgramEvidence using(int number, double gb) {
    ProgramEvidence run = run(number, "code", 30, 1);
    Profile profile =
        ProfileBuilder.builder(run.profile())
            .memoryGb(OptionalDouble.of(gb))
            .measured(
                new MeasurementOrigin(
                    run.ended(),
                    "run " + run.run(),
                    80,
                    run.code(),
                    run.profile().measured().numbers()))
            .build();
    return new ProgramEvidence(run.run(), run.ended(), run.code(), run.program(), profile);
  }

  @Test
  void combinesRankCorrelationsByTheirTrials() {
    Profile stored = STORED.withRankCorrelation(Optional.of(new RankCorrelation(0.9, 0.03, 30)));
    ProgramEvidence known = run(1, "code", 33, 1);
    ProgramEvidence evidence =
        new ProgramEvidence(
            known.run(),
            known.ended(),
            known.code(),
            known.program(),
            known.profile().withRankCorrelation(Optional.of(new RankCorrelation(0.6, 0.04, 60))));

    assertThat(
            CombinedProfile.of(stored, List.of(evidence))
                .profile()
                .rankCorrelation()
                .map(RankCorrelation::trials))
        .contains(90);
  }

  @Test
  void keepsStatedFaultRates() {
    Profile stored = STORED.withFaults(DefaultFaultRates.TRIALS);

    assertThat(CombinedProfile.of(stored, List.of(run(1, "code", 33, 1))).profile().faults())
        .isEqualTo(DefaultFaultRates.TRIALS);
  }

  @Test
  void withoutOtherRunsTheProfileIsUnchanged() {
    ProgramEvidence own = run(0, "code", 30, 1); // the profiling run itself
    assertThat(CombinedProfile.of(STORED, List.of()).profile()).isSameAs(STORED);
    assertThat(CombinedProfile.of(STORED, List.of(own)).profile()).isSameAs(STORED);
  }

  @Test
  void preciseRunsWeighMore() {
    CombinedProfile combined = CombinedProfile.of(STORED, List.of(run(1, "code", 31, 0.5)));
    Profile profile = combined.profile();

    assertThat(profile.secondsByGpus().get(1)).isCloseTo(30.8, within(1e-9)); // weights 1 and 4
    assertThat(profile.secondsByGpus().get(2)).isEqualTo(15); // the run has no evidence for it
    assertThat(profile.measured().number("training.1").orElseThrow().standardError())
        .isCloseTo(1 / Math.sqrt(5), within(1e-9));
    assertThat(profile.measured().samples()).isEqualTo(120);
    assertThat(profile.provisioning().get(0).samples()).isEqualTo(2);
    assertThat(combined.runs()).isEqualTo(1);
    assertThat(combined.storedCounts()).isTrue();
    assertThat(combined.change()).isEmpty();
  }

  @Test
  void runsThatDifferHaveSimilarWeights() {
    List<ProgramEvidence> runs =
        List.of(run(1, "code", 28.6, 0.001), run(2, "code", 31.4, 0.5), run(3, "code", 30, 0.5));
    double seconds = CombinedProfile.of(STORED, runs).profile().secondsByGpus().get(1);
    assertThat(seconds).isBetween(29.5, 30.5); // not 28.6, the most precise one
  }

  @Test
  void otherSpeedWithOtherCodeCountsAtOnce() {
    CombinedProfile combined =
        CombinedProfile.of(
            STORED,
            List.of(run(1, "code", 30.2, 0.5), run(2, "code", 29.9, 0.5), run(3, "new", 36, 0.5)));
    SpeedChange change = combined.change().orElseThrow();

    assertThat(change.run()).isEqualTo("r-3");
    assertThat(change.otherCode()).isTrue();
    assertThat(change.ratio()).isCloseTo(1.2, within(0.01));
    assertThat(change.dropped()).isEqualTo(3);
    assertThat(combined.storedCounts()).isFalse();
    assertThat(combined.profile().secondsByGpus().get(1)).isCloseTo(36, within(1e-9));
    assertThat(combined.profile().secondsByGpus().get(2)).isCloseTo(18, within(1e-9));
    assertThat(combined.profile().measured().code()).contains("new");
  }

  @Test
  void otherSpeedWithTheSameCodeMustBeConfirmed() {
    List<ProgramEvidence> once =
        List.of(run(1, "code", 30, 0.5), run(2, "code", 30, 0.5), run(3, "code", 39, 0.5));
    CombinedProfile suspected = CombinedProfile.of(STORED, once);
    assertThat(suspected.change()).isEmpty();
    assertThat(suspected.unconfirmed().orElseThrow().run()).isEqualTo("r-3");
    assertThat(suspected.profile().secondsByGpus().get(1)).isBetween(30.0, 35.0);

    CombinedProfile confirmed =
        CombinedProfile.of(
            STORED, List.of(once.get(0), once.get(1), once.get(2), run(4, "code", 39.5, 0.5)));
    assertThat(confirmed.change().orElseThrow().run()).isEqualTo("r-3");
    assertThat(confirmed.change().orElseThrow().otherCode()).isFalse();
    assertThat(confirmed.runs()).isEqualTo(2);
    assertThat(confirmed.profile().secondsByGpus().get(1)).isCloseTo(39.25, within(0.01));
  }

  @Test
  void oneSlowRunIsNoChange() {
    CombinedProfile combined =
        CombinedProfile.of(
            STORED,
            List.of(run(1, "code", 30, 0.5), run(2, "code", 45, 0.5), run(3, "code", 30, 0.5)));
    assertThat(combined.change()).isEmpty();
    assertThat(combined.unconfirmed()).isEmpty();
    assertThat(combined.storedCounts()).isTrue();
  }

  /** Profiling again is the remedy for a changed program, so it counts at once. */
  @Test
  void laterProfileReplacesOtherSpeed() {
    Profile again = profile("r-9", "code", 24, 0.5, 4);
    ProgramEvidence earlier =
        new ProgramEvidence(
            "r-1",
            MEASURED.minusSeconds(60),
            Optional.of("code"),
            "key",
            profile("r-1", "code", 30, 0.5, 8));
    CombinedProfile combined = CombinedProfile.of(again, List.of(earlier));
    assertThat(combined.runs()).isZero();
    assertThat(combined.profile().secondsByGpus().get(1)).isCloseTo(24, within(1e-9));
    assertThat(combined.change().orElseThrow().dropped()).isEqualTo(1);
  }

  /** Programs that report only at their end: the measured attempts cannot separate start-up. */
  @Test
  void secondRunLearnsFromTheFirstWithoutKnownStartup() {
    Profile stored = withoutStartup(STORED);
    ProgramEvidence known = run(1, "code", 20, 1);
    ProgramEvidence first = with(known, withoutStartup(known.profile()));

    Profile combined = CombinedProfile.of(stored, List.of(first)).profile();

    assertThat(combined.startupKnown()).isFalse();
    assertThat(combined.secondsByGpus().get(1)).isBetween(20.0, 29.0);
  }

  @Test
  void startupThatOnlyRunsShowIsUsed() {
    Profile combined =
        CombinedProfile.of(withoutStartup(STORED), List.of(run(1, "code", 20, 1))).profile();

    assertThat(combined.startupKnown()).isTrue();
    assertThat(combined.startupS().mean()).isEqualTo(10);
    assertThat(combined.secondsByGpus().get(1)).isEqualTo(20);
  }

  private static Profile withoutStartup(Profile profile) {
    return ProfileBuilder.builder(profile).startupS(Spread.NONE).startupKnown(false).build();
  }

  private static ProgramEvidence with(ProgramEvidence evidence, Profile profile) {
    return new ProgramEvidence(
        evidence.run(), evidence.ended(), evidence.code(), evidence.program(), profile);
  }
}
