package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunVariationTest {
  /** Eight trials of one unit, of which four train two more. */
  private static final Workload WORKLOAD =
      new Workload(
          List.of(
              new Chain("", List.of(new TrialGroup("1", 8, 0, 1), new TrialGroup("2", 4, 1, 3)))));

  private static Profile profile(double runCv, double trainingError, double startupError) {
    List<MeasuredNumber> numbers =
        List.of(
            new MeasuredNumber("training.1", 2, trainingError, 0, 9, 2),
            new MeasuredNumber("startup_s.mean", 10, startupError, 0, 19, 2));
    return Profile.builder(
            "train",
            "cpu",
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "run p", 4).withNumbers(numbers),
            new TreeMap<>(Map.of(1, 2.0)))
        .startupS(new Spread(10, 0))
        .runCv(runCv)
        .build();
  }

  private static double cv(Profile profile) {
    return RunVariation.of(profile, WORKLOAD, List.of()).runCv();
  }

  /** 16 units of 2 s and 12 starts of 10 s take 152 s. */
  @Test
  void errorsOfTrainingAndStartUpCountByTheirShare() {
    assertThat(cv(profile(0.03, 0.5, 0))).isCloseTo(16 * 0.5 / 152, within(1e-12));
    assertThat(cv(profile(0.03, 0, 1))).isCloseTo(12 * 1.0 / 152, within(1e-12));
    assertThat(cv(profile(0.03, 0.5, 1))).isCloseTo(Math.hypot(16 * 0.5, 12) / 152, within(1e-12));
  }

  /** Hyperparameters explain three quarters of the variance between trials, not between runs. */
  @Test
  void whatHyperparametersExplainIsNoError() {
    Profile explained =
        profile(0.03, 1, 0)
            .withConfigurations(
                new ConfigurationEffect(List.of(), 1, 0.1, 0.75, 6, Collections.nCopies(8, 1.0)));
    double ofRunS = 0.03 * 2;
    double errorS = Math.sqrt((1 - ofRunS * ofRunS) / 4 + ofRunS * ofRunS);

    assertThat(cv(explained)).isCloseTo(16 * errorS / 152, within(1e-12));
  }

  /** Two of the eight trials of the search were measured; other trials are another population. */
  @Test
  void measuredTrialsLeaveNothingOpen() {
    List<Map<String, Object>> trials = trials(8);
    Profile profile = profile(0.03, 1, 0);
    List<MeasuredNumber> numbers = KnownTrials.named(profile.measured().numbers(), trials);
    Profile known = profile.withOrigin(profile.measured().withNumbers(numbers));
    double ofRunS = 0.03 * 2;
    double errorS = Math.sqrt((1 - ofRunS * ofRunS) * 6 / 8 + ofRunS * ofRunS);

    assertThat(RunVariation.of(known, WORKLOAD, trials).runCv())
        .isCloseTo(16 * errorS / 152, within(1e-12));
    assertThat(RunVariation.of(known, WORKLOAD, trials(9)).runCv())
        .isCloseTo(16 * 1.0 / 152, within(1e-12));
  }

  private static List<Map<String, Object>> trials(int count) {
    return IntStream.range(0, count)
        .mapToObj(trial -> Map.<String, Object>of("lr", 0.1 * trial))
        .toList();
  }

  @Test
  void theMachineVariesAnyway() {
    assertThat(cv(profile(0.03, 0.1, 0.1))).isEqualTo(0.03);
  }

  @Test
  void nothingIsKnownBeyondTheMagnitude() {
    assertThat(cv(profile(0.03, 100, 100))).isEqualTo(1);
  }

  @Test
  void rentedInstancesAreNotShared() {
    assertThat(cv(profile(0, 0.5, 1))).isZero();
  }
}
